"""What somebody settles once: files of settings, readings of the rules, the title, keys that are trusted."""
