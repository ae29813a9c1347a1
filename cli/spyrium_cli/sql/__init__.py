"""SQL that a person typed: answered by a process of its own, which has limits and can be ended at any time."""
