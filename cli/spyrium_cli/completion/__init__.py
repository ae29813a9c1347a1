"""What the shell offers when somebody presses tab."""
