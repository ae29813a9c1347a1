"""Other people's formats: from bytes to typed values and back. Nothing here opens a file."""
