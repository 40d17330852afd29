"""Games side by side: what each costs or earns, what changes, and which one to play."""
