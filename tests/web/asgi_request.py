"""One request to an application in this process, without a client library."""


async def ask(app, address, *, key, host, accept="text/html", receive=None):
    """Return the status and the body of an answer; `receive` is what the client sends, if given."""
    messages = []

    async def receive_nothing():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        messages.append(message)

    headers = {"host": host, "authorization": f"Bearer {key}", "accept": accept}
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "scheme": "http",
        "http_version": "1.1",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1),
    }
    await app(scope, receive or receive_nothing, send)
    status = messages[0]["status"]
    return status, b"".join(one.get("body", b"") for one in messages)
