"""The customer buys: bnpl sandbox run --customer -- python3 test.py"""

import json
import os
import socket
import subprocess
import sys
import time
from urllib.parse import urlencode
from urllib.request import Request, urlopen

env = os.environ

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
    page = urlopen(f"{shop}/checkout", form).read().decode()
    assert "Thank you" in page, page
finally:
    server.terminate()
