"""The parts of a server in this process: key, hosts, a site that is solved in an instant."""

from upcard.answers.edge import answer_edge
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.web.door import Door
from upcard.web.site import Site

KEY = "k" * 43
PASS = "p" * 43
HOST = "127.0.0.1:8121"
ORIGIN = f"http://{HOST}"


def make_site(store=None):
    hosts = frozenset({HOST, "localhost:8121", "[::1]:8121"})
    door = Door(hosts=hosts, key=KEY, port=8121, day_pass=PASS)
    site = Site(door=door, store=store, rules=Rules.parse("INF"))
    for name in house_names():  # a solve for each is not what is tested here
        site.solver._known["edge", load_house(name).rules] = answer_edge(-0.005)
    return site
