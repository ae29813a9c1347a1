"""Component sheets: found by name, edited, verified."""
