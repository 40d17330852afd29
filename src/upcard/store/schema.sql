-- Facts only: what follows from rounds and judgements is computed when it is asked for, except the
-- bankroll, which every bet needs. Amounts are exact texts (`5/2`), times ISO 8601 in UTC, answers
-- their words with commas between. `own` has the numbers of the person's spots and `own_answers`
-- those of their answers, from 0 with commas between, an empty `own` means that all are theirs.
-- `chain_seed` is the secret from which all server seeds of a session follow, and `chain_number`
-- the shoe's number in that chain. The last two indexes find mistakes and unfinished sessions
-- without reading the others.
CREATE TABLE bankroll (id INTEGER PRIMARY KEY CHECK (id = 1), amount TEXT NOT NULL);
INSERT INTO bankroll VALUES (1, '0');
CREATE TABLE deposits (
    id INTEGER PRIMARY KEY, amount TEXT NOT NULL, reason TEXT NOT NULL, made_at TEXT NOT NULL
);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, house TEXT NOT NULL, rules TEXT NOT NULL, player TEXT NOT NULL,
    company TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT
);
CREATE TABLE shoes (
    id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES sessions,
    number INTEGER NOT NULL, commitment TEXT NOT NULL, server_seed TEXT NOT NULL,
    player_seed TEXT NOT NULL, next_player_seed TEXT NOT NULL, chain_seed TEXT NOT NULL,
    chain_number INTEGER NOT NULL, committed_rules TEXT NOT NULL, started_at TEXT NOT NULL,
    ended_at TEXT, UNIQUE (session_id, number)
);
CREATE TABLE open_rounds (
    session_id INTEGER PRIMARY KEY REFERENCES sessions, number INTEGER NOT NULL,
    shoe_id INTEGER NOT NULL REFERENCES shoes, shuffle INTEGER NOT NULL, dealt INTEGER NOT NULL,
    bets TEXT NOT NULL, own TEXT NOT NULL, actions TEXT NOT NULL, at_risk TEXT NOT NULL,
    started_at TEXT NOT NULL
);
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES sessions,
    number INTEGER NOT NULL, shoe_id INTEGER NOT NULL REFERENCES shoes, shuffle INTEGER NOT NULL,
    dealt INTEGER NOT NULL, bets TEXT NOT NULL, own TEXT NOT NULL, actions TEXT NOT NULL,
    own_answers TEXT NOT NULL, cards TEXT NOT NULL, hands TEXT NOT NULL, dealer TEXT NOT NULL,
    insurance_net TEXT NOT NULL, net TEXT NOT NULL, booked TEXT NOT NULL, bankroll TEXT NOT NULL,
    started_at TEXT NOT NULL, settled_at TEXT NOT NULL, UNIQUE (session_id, number)
);
CREATE TABLE judgements (
    session_id INTEGER NOT NULL REFERENCES sessions, number INTEGER NOT NULL,
    step INTEGER NOT NULL, situation TEXT NOT NULL, category TEXT NOT NULL, chosen TEXT NOT NULL,
    best TEXT NOT NULL, cost_ev REAL NOT NULL, cost_chips REAL NOT NULL, method TEXT NOT NULL,
    made_at TEXT NOT NULL, PRIMARY KEY (session_id, number, step)
);
CREATE TABLE objects (
    kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, saved_at TEXT NOT NULL,
    PRIMARY KEY (kind, name)
);
CREATE INDEX rounds_of_a_shoe ON rounds (shoe_id);
CREATE INDEX mistakes ON judgements (session_id, number) WHERE cost_chips > 0;
CREATE INDEX sessions_going_on ON sessions (id) WHERE ended_at IS NULL
