"""What export writes: bundles of games, pseudonyms, what a form leaves out."""
