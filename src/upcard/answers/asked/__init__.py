"""Questions of `upcard.answers.topics`, each a module with a function `answer`."""
