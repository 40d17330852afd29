"""Environments of Gymnasium: one table or thousands, under any rules that upcard plays.

Importing this package registers `upcard/Blackjack-v1`, `upcard/BlackJackP-v0` and
`upcard/SuttonBarto-v0`. It needs the extra `rl`.

>>> import gymnasium
>>> env = gymnasium.make("upcard.env:upcard/Blackjack-v1", rules="6D H17 LS")
>>> observation, info = env.reset(options={"cards": "T 6 8 T 5"})
>>> observation.tolist(), info["action_mask"].tolist()
([18.0, 0.0, 6.0, 0.0, 1.0, 0.0, 0.0, 4.0], [1, 1, 1, 0, 1, 0])
>>> env.step(0)[1]
-1.0
"""

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ImportError('upcard.env needs Gymnasium: pip install "upcard[rl]"') from None

# Entry points as texts, so that the kernels and the solvers are not imported before `make`.
for _name, _options in (
    (
        "Blackjack-v1",
        {
            "entry_point": "upcard.env.blackjack:BlackjackEnv",
            "vector_entry_point": "upcard.env.vector:BlackjackVectorEnv",
        },
    ),
    ("BlackJackP-v0", {"entry_point": "upcard.env.blackjack_p:BlackJackPEnv"}),
    (
        "SuttonBarto-v0",
        {
            "entry_point": "upcard.env.sutton_barto:SuttonBartoEnv",
            "vector_entry_point": "upcard.env.sutton_barto:SuttonBartoVectorEnv",
            "kwargs": {"sab": True, "natural": False},
        },
    ),
):
    if f"upcard/{_name}" not in gymnasium.registry:
        gymnasium.register(f"upcard/{_name}", **_options)
