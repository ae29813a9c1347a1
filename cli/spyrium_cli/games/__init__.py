"""Games by the names that people give them, and what a command does with one or with many."""
