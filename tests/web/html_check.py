"""Faults of a page that HTML alone shows: nesting, ids, labels, inline code, foreign addresses."""

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "img"}
LABELLED = {"input", "select", "textarea"}


class Page(HTMLParser):
    """Reads a page; `faults` lists what is wrong with it."""

    def __init__(self, html):
        super().__init__()
        self.faults = []
        self.open = []
        self.ids = []
        self.labels = set()
        self.fields = []
        self.links = []
        self.headings = []
        self.text = []
        self.feed(html)
        self.close()
        self.check()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "label":
            self.labels.add(found.get("for"))
        if tag in LABELLED and found.get("type") != "hidden":
            self.fields.append(found.get("id"))
        if tag in {"h1", "h2", "h3"}:
            self.headings.append(tag)
        if tag == "style" or "style" in found or any(name.startswith("on") for name in found):
            self.faults.append(f"inline style or handler in <{tag}>")
        if tag == "script" and not found.get("src", "").startswith("/static/"):
            self.faults.append("inline script")
        for name in ("src", "href", "action"):
            address = found.get(name)
            if address is None:
                continue
            is_own = address.startswith(("/", "#"))
            if not is_own and not (tag == "a" and found.get("rel") == "noreferrer"):
                self.faults.append(f"foreign address {address!r} in <{tag}>")
            if tag == "a":
                self.links.append(address)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_data(self, data):
        self.text.append(data)

    def check(self):
        if self.open:
            self.faults.append(f"never closed: {self.open}")
        if self.headings.count("h1") != 1:
            self.faults.append(f"{self.headings.count('h1')} h1")
        twice = {one for one in self.ids if self.ids.count(one) > 1}
        if twice:
            self.faults.append(f"ids twice: {sorted(twice)}")
        self.faults += [f"no label for {one!r}" for one in self.fields if one not in self.labels]


def find_faults(html):
    return Page(html).faults
