"""The gate: who is let in, line by line."""

import pytest
from web_server import HOST, KEY, ORIGIN, PASS

from upcard.web.door import Door

READS = ("/", "/rules", "/hand", "/houses", "/learn/", "/settings", "/favicon.ico", "/nothing")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("path", READS)
def test_without_the_key_no_page_answers(bare, path):
    answer = bare.get(path)
    assert answer.status_code == 403
    assert answer.text.startswith("upcard needs its key.")
    assert "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": f"Bearer {KEY}x"},
        {"Cookie": "upcard_8121=wrong"},
        {"Cookie": f"upcard_8122={PASS}"},
        {"Cookie": f"upcard={PASS}"},
        {"Cookie": f"upcard_8121={KEY}"},
        {"Authorization": f"Bearer {PASS}"},
        {"Authorization": "Bearer ä".encode("latin-1")},
    ],
)
def test_a_wrong_key_is_no_key(bare, headers):
    assert bare.get("/settings", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:81210",
        "127.0.0.1:8121.evil.com",
        "127.evil.com:8121",
        "evil.com",
        "evil.com:8121",
        "localhost",
        "LOCALHOST:8121",
        "localhost.:8121",
        "localhost:8121:8121",
        "user@127.0.0.1:8121",
        "0.0.0.0:8121",
        "127.1:8121",
        "2130706433:8121",
        "[::]:8121",
        "::1:8121",
        "[::1]",
        " ",
        "",
    ],
)
def test_a_host_that_is_not_exactly_ours_is_refused(client, host):
    assert client.get("/settings", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("hosts", [(HOST, "evil.com"), ("evil.com", HOST), (HOST, HOST)])
def test_two_hosts_are_refused(client, hosts):
    headers = [("Host", host) for host in hosts]
    assert client.get("/settings", headers=headers).status_code == 421


@pytest.mark.parametrize("host", [HOST, "localhost:8121", "[::1]:8121"])
def test_our_hosts_are_answered(client, host):
    assert client.get("/settings", headers={"Host": host}).status_code == 200


def test_the_link_gives_a_cookie_that_scripts_and_other_sites_cannot_use(bare):
    answer = bare.get(f"/open?key={KEY}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("upcard_8121=")
    for word in ("httponly", "samesite=lax", "path=/"):
        assert word in cookie
    for word in (KEY, "max-age", "expires"):  # it ends with the browser
        assert word not in cookie
    assert bare.get("/settings").status_code == 200
    bare.cookies.clear()


def test_each_start_has_a_pass_of_its_own():
    first, second = (Door(hosts=frozenset(), key=KEY, port=1) for _ in range(2))
    assert first.day_pass != second.day_pass
    assert len(first.day_pass) >= 43


def test_what_is_left_of_an_earlier_start_says_how_to_get_in(bare):
    old = bare.get("/settings", headers={"Cookie": "upcard_8121=old"})
    assert "started again" in old.text
    assert "Open the link that `upcard web` printed" in old.text
    assert "of an earlier start" in bare.get("/open?key=old").text


@pytest.mark.parametrize("query", ["", "?key=", "?key=wrong", f"?key={KEY}&key={KEY}", "?key=%00"])
def test_a_wrong_link_gives_nothing(bare, query):
    answer = bare.get(f"/open{query}")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.com"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "https://127.0.0.1:8121"},
        {"Origin": f"{ORIGIN}.evil.com"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "none"},
    ],
)
def test_a_change_that_another_page_asks_for_is_refused_and_changes_nothing(bare, headers):
    headers = {"Cookie": f"upcard_8121={PASS}", **headers, **FORM}
    answer = bare.post("/settings", content="theme=dark", headers=headers)
    assert answer.status_code == 403
    page = bare.get("/settings", headers={"Cookie": f"upcard_8121={PASS}"}).text
    assert 'data-theme="auto"' in page


def test_a_program_with_the_key_needs_no_origin_but_no_foreign_one_either(client):
    answer = client.post("/settings", content="theme=auto", headers=FORM)
    assert answer.status_code == 303
    foreign = {**FORM, "Origin": "http://evil.com"}
    assert client.post("/settings", content="theme=auto", headers=foreign).status_code == 403


@pytest.mark.parametrize(
    "origins", [(ORIGIN, "http://evil.com"), ("http://evil.com", ORIGIN), (ORIGIN, ORIGIN)]
)
def test_a_change_with_two_origins_is_refused(client, origins):
    headers = [*FORM.items(), *(("Origin", origin) for origin in origins)]
    assert client.post("/settings", content="theme=auto", headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403),
        ({"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200),
        *(
            ({"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": dest}, 403)
            for site in ("none", "same-origin", "cross-site")
            for dest in ("iframe", "frame", "embed", "object", "fencedframe")
        ),
    ],
)
def test_a_page_can_be_linked_to_but_not_embedded(client, headers, status):
    assert client.get("/settings", headers=headers).status_code == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(client, method):
    assert client.request(method, "/settings").status_code == 405


def test_a_post_to_a_page_that_only_shows_is_refused(client):
    answer = client.post("/rules", headers={"Origin": ORIGIN, "Accept": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (405, "method-not-allowed")


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        ("theme=" + "x" * 65536, FORM, 413),
        ("theme=" + "x" * 65531, FORM, 413),
        ("theme=" + "x" * 65530, FORM, 422),  # 64 KiB, as promised
        ("theme=" + "x" * 2001, FORM, 422),
        ("a=1" + "&a=1" * 64, FORM, 400),
        ("theme=%ff", FORM, 400),
        ("theme=dark", {"Content-Type": "application/json"}, 415),
        ("theme=dark", {"Content-Type": "text/plain"}, 415),
        ("theme=dark", {**FORM, "Content-Length": "-1"}, 413),
    ],
)
def test_a_form_has_limits(client, content, headers, status):
    answer = client.post("/settings", content=content, headers={"Origin": ORIGIN, **headers})
    assert answer.status_code == status


def test_a_body_of_unknown_length_is_counted(client):
    chunks = (b"x" * 10_000 for _ in range(20))
    answer = client.post("/settings", content=chunks, headers={"Origin": ORIGIN, **FORM})
    assert answer.status_code == 413


def test_a_long_query_is_refused(client):
    assert client.get("/rules?r=" + "6" * 5000).status_code == 414


@pytest.mark.parametrize("path", ["/settings", "/nothing", "/open"])
def test_every_answer_has_the_headers_that_protect_it(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    for part in ("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert part in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_no_socket_is_served(client):
    from starlette.testclient import WebSocketDenialResponse
    from starlette.websockets import WebSocketDisconnect

    with (
        pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)),
        client.websocket_connect("/settings"),
    ):
        pass
