"""What a later hand does to a log: it proposes lines, and says what they would change before they are written."""
