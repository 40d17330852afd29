"""`upcard web` is killed in play again and again, while several browsers play on one store.

After each kill the books balance, what was shown as settled is in the file, and an unfinished hand
continues as it stood. No answer has the status 500, the server prints nothing, and nothing that it
sends has a seed of a shoe in play, or a card that is face down.
"""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
import signal
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, Final

from campaign.books import check_books_and_rounds
from campaign.browsers import HTML, JSON, KEY, AwayError, Browser, WebServer, WebTable, sit_down
from campaign.bystanders import find_leftovers
from campaign.case import FindingError, Subject
from campaign.games import count_features
from upcard.fair.seeds import shoe_key
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.history import read_round
from upcard.store.kept_table import KeptTable
from upcard.store.sessions import find_open_rounds
from upcard.store.statistics import add_up
from upcard.web.door import Door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from campaign.browsers import Answer
    from campaign.case import Case
    from upcard.store.database import Store

_LIVES_OF_A_STORE: Final = 20
_MOST_ANSWERS: Final = 60
_LONGEST_PAUSE: Final = 0.03
_LONGEST_START: Final = 0.1
_MOST_TABLES: Final = 6
_NEXT_CARDS: Final = 2
"""Undealt cards that are searched for: those that follow."""
_PAGES: Final = (
    *("/stats", "/stats", "/history", "/history?mistakes=1", "/", "/history.jsonl", "/settings"),
    *("/drills", "/lab", "/hand?r=INF"),
)


class ServerKiller:
    """Kills servers of one store, which begins anew after some kills."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lives = 0
        self.rounds = 0
        self.tables: list[WebTable] = []
        self.server: WebServer | None = None

    def kill(self, case: Case) -> None:
        """Let browsers play, kill the server, and look at the store.

        Raises: FindingError.
        """
        path = self.folder / "upcard.db"
        if self.server is None or self.lives % _LIVES_OF_A_STORE == 0:
            self._begin(path)
        assert self.server is not None  # noqa: S101 (for the type checker)
        self.lives += 1
        heard: list[tuple[str, Answer]] = []
        try:
            self.server.start()
            asyncio.run(self._live(case, self.server, heard))
            self.server.end()
            case.count("answers searched", len(heard))
            self._check(case, path, heard)
            if self.lives % _LIVES_OF_A_STORE == 0:
                self._finish(case, path)
        except BaseException:
            self.server.close()
            self.server = None  # what follows begins with a store of its own
            raise

    def _begin(self, path: Path) -> None:
        if self.server is not None:
            self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        with open_store(path) as store:
            deposit(store, 10**6)
        self.server, self.lives, self.rounds, self.tables = WebServer(path), 0, 0, []

    async def _live(self, case: Case, server: WebServer, heard: list[tuple[str, Answer]]) -> None:
        """Play with several browsers until the server is killed."""
        rng = case.rng
        browsers = [Browser(server, heard) for _ in range(rng.randint(2, 4))]
        if rng.random() < 0.1:  # while it starts, or hands are found again
            asyncio.get_running_loop().call_later(rng.random() * _LONGEST_START, server.kill)
            await self._look_again(case, browsers[0])
        else:
            await self._look_again(case, browsers[0])
            playing = [self._browse(case, browser) for browser in browsers]
            wanted = len(heard) + rng.randint(1, _MOST_ANSWERS)
            killing = self._kill_after(wanted, rng.random() * _LONGEST_PAUSE, server, heard)
            await asyncio.gather(*playing, self._read_statistics(case, server), killing)
        for browser in browsers:
            await browser.close()
        if server.is_alive:
            server.kill()

    async def _kill_after(
        self, wanted: int, pause: float, server: WebServer, heard: list[tuple[str, Answer]]
    ) -> None:
        """Kill the server a moment after so many answers, in the middle of the next ones."""
        while len(heard) < wanted:  # noqa: ASYNC110 (a list has no event)
            await asyncio.sleep(0.001)
        await asyncio.sleep(pause)
        server.kill()

    async def _look_again(self, case: Case, browser: Browser) -> None:
        """Find the tables of the life before as they stood."""
        found = []
        for table in self.tables:
            before, was_unsure = table.view, table.unanswered > 0
            try:
                await browser.open()
                answer = await browser.ask(table.path)
            except AwayError:
                return
            had_question = bool(table.asked)
            table.view = {}  # the next server counts its versions from the round alone
            is_there = table.take(answer)
            if not was_unsure and had_question:
                case.require(is_there, f"{table.path} with an open hand is gone: {answer.body!r}")
                case.require(
                    _stand(answer.view) == _stand(before),
                    f"{table.path} was left as {_stand(before)}, and found as {answer.body!r}",
                )
                case.count("hands found again")
            table.unanswered = 0
            if is_there:
                found.append(table)
        self.tables = found

    async def _browse(self, case: Case, browser: Browser) -> None:
        """Play at the tables, and look at pages, until the server is killed."""
        while browser.server.is_alive:
            with suppress(AwayError):  # or it closed an idle connection: the next one is fresh
                await browser.open()
                while True:
                    await self._take_a_step(case, browser)

    async def _take_a_step(self, case: Case, browser: Browser) -> None:
        rng = case.rng
        if not self.tables or (len(self.tables) < _MOST_TABLES and rng.random() < 0.1):
            table = await sit_down(browser, rng)
            if table is not None:
                self.tables.append(table)
            return
        table = rng.choice(self.tables)
        if rng.random() < 0.75:
            is_there = await table.move(browser, rng)
            if not is_there and table in self.tables:
                self.tables.remove(table)
        else:
            pages = (*_PAGES, table.path, table.path, f"{table.path}/coach")
            await browser.ask(rng.choice(pages), accept=rng.choice((JSON, HTML)))

    async def _read_statistics(self, case: Case, server: WebServer) -> None:
        """Add up the rounds in this process too, as the command does."""
        while server.is_alive:
            with open_store(server.path) as store:
                add_up(store, value_of=lambda _: -0.01, rounds_per_hour=100)
            case.count("statistics read beside the server")
            await asyncio.sleep(0.1)

    def _check(self, case: Case, path: Path, heard: list[tuple[str, Answer]]) -> None:
        """Check the store after a kill, and what was sent before it."""
        case.counts.update(count_features(check_books_and_rounds(path, self.rounds)))
        with open_store(path) as store:
            self.rounds = store.rows("SELECT count(*) FROM rounds")[0][0]
            for table in self.tables:
                for number, view in table.told.items():
                    check_told(store, number, view)
                    case.count("settled rounds found")
                table.told.clear()
            search_seeds(store, heard)
            for table in self.tables:
                case.count("hidden cards searched for", search_cards(store, table, heard))

    def _finish(self, case: Case, path: Path) -> None:
        """Play every hand to its end, and stop the server: nothing may be left."""
        assert self.server is not None  # noqa: S101 (for the type checker)
        self.server.start()
        heard: list[tuple[str, Answer]] = []
        asyncio.run(self._play_to_the_end(case, Browser(self.server, heard)))
        self.server.end(signal.SIGTERM)
        check_books_and_rounds(path, self.rounds)
        with open_store(path) as store:
            left = list(find_open_rounds(store))
        case.require(not left, f"hands are left: {left}")
        names = find_leftovers(self.folder, {"upcard.db", "printed.txt", "runs"})
        case.require(not names, f"left after the last server: {names}")

    async def _play_to_the_end(self, case: Case, browser: Browser) -> None:
        await browser.open()
        with open_store(browser.server.path) as store:
            tables = [WebTable(f"/t/s{one.session.id}") for one in find_open_rounds(store)]
        for table in tables:
            table.take(await browser.ask(table.path))
            while table.asked and await table.move(browser, case.rng):
                pass
            await _leave(browser, table)
            case.count("hands finished")
        table_in_peace = None
        while table_in_peace is None:  # a house may refuse so many hands, or company
            table_in_peace = await sit_down(browser, case.rng)
        await _leave(browser, table_in_peace)  # sitting down removed what killed servers left
        await browser.close()


async def _leave(browser: Browser, table: WebTable) -> None:
    await browser.ask(f"{table.path}/leave", {"v": str(table.view["version"])})


def _stand(view: dict[str, Any]) -> dict[str, Any]:
    """Return what has to be as it was: the cards, the bets and the question."""
    session = view["session"]
    hands = [[hand["name"], hand["cards"], hand["bet"]] for hand in session["hands"]]
    return {"dealer": session["dealer"], "hands": hands, "asked": session["asked"]}


def check_told(store: Store, number: int, view: dict[str, Any]) -> None:
    """Check that a round which was shown as settled is in the store, with its cards."""
    stored = read_round(store, number)
    shown = [hand["cards"] for hand in view["session"]["hands"] if hand["is_own"]]
    booked = [[str(card) for card in hand.cards] for hand in stored.own_hands]
    # Between rounds one may choose to play fewer hands; the others are then not one's own.
    if not shown or any(hand not in booked for hand in shown):
        msg = f"round {number} was shown with {shown}, the store has {booked}"
        raise FindingError(msg)


# --- what nobody may read ---


def search_seeds(store: Store, heard: list[tuple[str, Answer]]) -> None:
    """Search every byte that was sent for the secrets of shoes that are still in play.

    Raises: FindingError.
    """
    secrets: dict[bytes, str] = {}
    for number, ended, seed, chain, player_seed in store.rows(
        "SELECT id, ended_at, server_seed, chain_seed, player_seed FROM shoes"
    ):
        found = {"chain of seeds": chain}
        if ended is None:
            key = shoe_key(bytes.fromhex(seed), player_seed)
            found |= {"server seed": seed, "key": key.hex()}
        for name, text in found.items():
            for written in _write_forms(bytes.fromhex(text)):
                secrets[written] = f"the {name} of shoe {number}"
    sent = b"\n".join(answer.raw for _, answer in heard).lower()
    for written, what in secrets.items():
        if written.lower() in sent:
            path = next(path for path, one in heard if written.lower() in one.raw.lower())
            msg = f"{what}, which is in play, was sent at {path}\n a secret was sent"
            raise FindingError(msg)


def _write_forms(secret: bytes) -> Iterator[bytes]:
    if secret:
        yield secret
        yield secret.hex().encode()
        yield str(int.from_bytes(secret, "big")).encode()
        yield str(int.from_bytes(secret, "little")).encode()
        yield base64.b64encode(secret).rstrip(b"=")
        yield base64.urlsafe_b64encode(secret).rstrip(b"=")


def search_cards(store: Store, table: WebTable, heard: list[tuple[str, Answer]]) -> int:
    """Search what was sent of the round in play for its hidden cards; return their number.

    Raises: FindingError.
    """
    number = int(table.path.rpartition("s")[2])
    left = next((one for one in find_open_rounds(store) if one.session.id == number), None)
    if left is None:
        return 0
    with closing(KeptTable.resume(store, left)) as kept:
        if not kept.is_playing:
            return 0
        state = kept.state
        public = {card for hand in state.hands for card in hand.cards}
        view = kept.view()
        public |= set(view.dealer)
        hidden = {card for card in state.dealer if card not in public}
        shoe = kept.fair_shoe
        hidden |= {card for card in (shoe.draw() for _ in range(_NEXT_CARDS)) if card not in public}
    first = left.number * 10_000
    texts = [
        answer.body.decode()
        for path, answer in heard
        if path.startswith(table.path) and _version_of(answer) >= first
    ]
    for card in hidden:
        words = re.compile(rf'\b{card.in_words}\b|[">]{card}["<]')
        for text in texts:
            if words.search(text):
                msg = f"{card}, which is face down or undealt, was sent at {table.path}\n{text}"
                raise FindingError(msg)
    return len(hidden) if texts else 0


def _version_of(answer: Answer) -> int:
    found = re.search(rb'"version": (\d+)|data-version="(\d+)"', answer.body)
    return int(found[1] or found[2]) if found else 0


def load_pages() -> None:
    """Load what a server needs, so that a life of it costs a tenth of a second."""
    from starlette.testclient import TestClient

    from upcard.web.app import make_app
    from upcard.web.serving import answer_on
    from upcard.web.site import Site

    del answer_on  # it is loaded for the server
    site = Site(door=Door(hosts=frozenset({"testserver"}), key=KEY, port=0))
    headers = {"Authorization": f"Bearer {KEY}", "Accept": HTML}
    with TestClient(make_app(site), headers=headers) as client:
        for page in ("/", "/t/s1", "/history/1", *_PAGES):
            client.get(page)


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare a worker."""
    load_pages()
    return ServerKiller(folder / "store").kill


SUBJECT: Final = Subject(
    name="browser",
    about="upcard web killed in play: hands continue, books balance, no 500, no secret is sent",
    unit="kills of the server",
    quick=60,
    long=1000,
    start=start,
    patience=180.0,
    waits=True,
)
