"""The shop's own test: a customer buys. With `refund`, an operator then refunds the order. `bnpl sandbox run --customer -- python3 test.py refund`"""

import json
import os
import pathlib
import subprocess
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def register(url):
    """Registers the address for deliveries. If the outcome of a registration is unknown, the list shows whether it was made."""
    for attempt in range(1, 4):
        destinations = call("GET")
        if destinations is None:
            time.sleep(0.5 * attempt)
        elif any(each["url"] == url for each in destinations):
            return
        else:
            call("POST", json.dumps({"url": url}).encode())


def call(method, body=None):
    headers = {"Authorization": "Bearer " + os.environ["BNPL_API_KEY"], "Content-Type": "application/json"}
    request = Request(os.environ["BNPL_BASE_URL"] + "/partner/webhook", body, headers, method=method)
    try:
        with urlopen(request, timeout=5) as answer:
            return json.loads(answer.read())["data"]
    except Exception:
        return None


def ask(request):
    """Asks the shop as a customer does: repeats the request while there is no answer, because the shop is starting again."""
    for attempt in range(20):
        try:
            with urlopen(request) as answer:
                return answer.read()
        except HTTPError:
            raise
        except (OSError, HTTPException):
            if attempt == 19:
                raise
            time.sleep(0.1)


def buy(url):
    body = json.dumps({"rut": "11222333-9", "amount": 250_000, "email": "ana@example.com"}).encode()
    return json.loads(ask(Request(f"{url}/orders", body, method="POST")))


# The shop that runs at SHOP_URL, or one that this test starts.
url, shop = os.environ.get("SHOP_URL"), None
program = str(pathlib.Path(__file__).with_name("shop.py"))
if url is None:
    shop = subprocess.Popen([sys.executable, program, "serve"], stdout=subprocess.PIPE, text=True)
    url = shop.stdout.readline().strip()
try:
    register(f"{url}/webhooks")
    try:
        order = buy(url)
    except HTTPError as error:
        # After a 502 the customer tries again.
        assert error.code == 502, error
        order = buy(url)
    # The payment page pays and redirects to the shop.
    try:
        ask(order["payUrl"])
    except HTTPError as error:
        print(f"the payment page answered {error.code}", file=sys.stderr)
    paid = False
    deadline = time.monotonic() + 5
    while not paid and time.monotonic() < deadline:
        time.sleep(0.02)
        paid = json.loads(ask(f"{url}/orders/{order['id']}"))["paid"]
    assert paid, f"order {order['id']} is not paid"
    if "refund" in sys.argv:
        # The operator runs the command a second time, which changes nothing.
        for time_of_refund in ("first", "second"):
            code = subprocess.run([sys.executable, program, "refund", order["id"]]).returncode
            assert code == 0, f"the {time_of_refund} refund of order {order['id']} failed"
            seen = json.loads(ask(f"{url}/orders/{order['id']}"))
            assert seen == {"id": order["id"], "paid": False, "refunded": True}, seen
finally:
    if shop:
        shop.terminate()
        shop.wait()
