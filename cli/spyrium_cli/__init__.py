"""The command line: it asks, calls and draws; what is decided is decided in `spyrium_log`."""
