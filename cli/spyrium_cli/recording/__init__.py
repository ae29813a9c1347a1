"""Recording at the table without a screen of its own."""
