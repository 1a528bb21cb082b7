"""The customer buys: bnpl sandbox run --customer -- python3 test.py"""

import json
import os
import socket
import subprocess
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

env = os.environ


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def visit(url, form=None, opener=build_opener()):
    """The customer reloads the page while there is no answer."""
    for attempt in range(20):
        try:
            return opener.open(url, form)
        except HTTPError as answer:
            return answer
        except (OSError, HTTPException):
            if attempt == 19:
                raise
            time.sleep(0.1)


# The shop that runs at SHOP_URL, or one that this test starts.
shop, server = env.get("SHOP_URL"), None
if shop is None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    shop = f"http://127.0.0.1:{port}"
    server = subprocess.Popen([sys.executable, "shop.py"], env={**env, "PORT": str(port)})
try:
    while True:
        try:
            urlopen(shop)
            break
        except OSError:
            time.sleep(0.05)
    headers = {"Authorization": "Bearer " + env["BNPL_API_KEY"], "Content-Type": "application/json"}
    urlopen(Request(env["BNPL_BASE_URL"] + "/partner/webhook", json.dumps({"url": f"{shop}/webhooks"}).encode(), headers))
    form = urlencode({"rut": "11222333-9", "email": "ana@example.com"}).encode()
    placed = visit(f"{shop}/checkout", form, build_opener(NoRedirect))
    assert placed.status == 302, placed.read().decode()
    page = visit(placed.headers["Location"]).read().decode()
    assert "Thank you" in page, page
finally:
    if server:
        server.terminate()
