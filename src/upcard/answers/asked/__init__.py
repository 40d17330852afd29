"""Questions of `upcard.answers.questions`, each a module with a function `answer`."""
