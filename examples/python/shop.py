"""A shop that sells in installments, with Python's standard library: `shop.py serve`, `orders`, `settle` or `refund ORDER`."""

import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import time
import uuid
from http.client import HTTPConnection, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, urlencode, urlsplit

env = os.environ
TIMEOUT_S = 5
MINUTE_S = 60
SCHEMA = """
    create table if not exists orders (id text primary key, amount integer not null, createdAt real not null,
        state text not null check (state in ('new', 'open', 'paid', 'dropped', 'refused', 'refunding', 'refunded')),
        cancelSentAt real);
    create table if not exists shipments (orderId text primary key references orders);
    create table if not exists events (id text primary key);
"""


def database():
    # A write is on the disk before the shop acts on it. Several threads and processes may use the file.
    # `sandbox torture` gives each run of the shop a folder of its own.
    path = env.get("SHOP_DATA") or os.path.join(env.get("BNPL_RUN_DIR", ""), "shop.db")
    return sqlite3.connect(path, timeout=5, isolation_level=None)


def find(db, order_id):
    return db.execute("select id, amount, state from orders where id = ?", (order_id,)).fetchone()


def move(db, order_id, before, after):
    """Changes a state only from the expected one. If two processes try the same change, only one succeeds."""
    return db.execute("update orders set state = ? where id = ? and state = ?", (after, order_id, before)).rowcount == 1


def call(path, fields):
    """Sends one call. Returns the status, `data` and the seconds to wait; (None, {}, 0) when the outcome is unknown."""
    base = urlsplit(env["BNPL_BASE_URL"])
    headers = {"Authorization": f"Bearer {env['BNPL_API_KEY']}", "Content-Type": "application/x-www-form-urlencoded"}
    try:
        connection = (HTTPSConnection if base.scheme == "https" else HTTPConnection)(base.netloc, timeout=TIMEOUT_S)
        connection.request("POST", base.path + path, urlencode(fields), headers)
        answer = connection.getresponse()
        text, wait = answer.read(), answer.headers.get("Retry-After", "")
        if 400 <= answer.status < 500:
            return answer.status, {}, min(TIMEOUT_S, int(wait) if wait.isdigit() else 0)
        data = json.loads(text)["data"] if answer.status < 300 else None
        return (answer.status, data, 0) if isinstance(data, dict) else (None, {}, 0)
    except Exception:  # There is no answer, half an answer, or one that cannot be read.
        return None, {}, 0


def call_once(path, fields):
    """Sends a call again if the service refused it for now (429). After an unknown outcome the call is not repeated."""
    for last in (False, False, True):
        status, data, wait = call(path, fields)
        if status != 429 or last:
            return status, data
        time.sleep(wait)


def place_order(db, shop_url, asked):
    """Evaluates the customer and makes the address of the payment page. The RUT is not kept."""
    order_id = str(uuid.uuid4())
    db.execute("insert into orders values (?, ?, ?, 'new', null)", (order_id, asked["amount"], time.time()))
    common = {"externalTrxId": order_id, "amount": asked["amount"], "entityId": env["BNPL_ENTITY_ID"]}

    def drop():
        # Nobody has a payment address of this order, so it can never be paid. The customer may place another order.
        move(db, order_id, "new", "dropped")
        return 502, {"error": "the payment cannot be prepared now; please try again"}

    status, evaluated = call_once("/partner/pre-loan-request/bnpl", common | {"idNumber": asked["rut"]})
    if status == 422:
        move(db, order_id, "new", "refused")
        return 422, {"error": "paying in installments is not offered for this purchase"}
    if not isinstance(evaluated.get("installmentOptions"), list):
        return drop()
    _, widget = call_once("/partner/widget/start", common | {"email": asked["email"]})
    # A service that does not say `accepted` accepts a session by its token.
    if widget.get("accepted") is False or not isinstance(widget.get("widgetToken"), str):
        return drop()
    back = f"{shop_url}/return/{order_id}"
    query = {"widgetToken": widget["widgetToken"], "publicKey": env["BNPL_PUBLIC_KEY"]}
    query |= {"successReturnUrl": back, "errorReturnUrl": back}
    # From here on the customer may pay the order, and `settle` verifies it.
    if not move(db, order_id, "new", "open"):
        return drop()
    return 201, {"id": order_id, "payUrl": f"{env['BNPL_PAYMENT_URL']}/?{urlencode(query)}"}


def verify(order, *states):
    """Asks about the loan of an order until it has one of these states. Returns its state, "none" without a loan, None without a matching answer."""
    order_id, amount, _ = order
    is_now = None
    # A verification changes nothing at the service, so it may be repeated.
    for pause in (0.1, 0.2, 0):
        status, loan, wait = call(f"/partner/pre-approve/{quote(order_id, safe='')}/loan", {})
        if status == 404:
            return "none"
        if (loan.get("externalTrxId"), loan.get("loanAmount")) == (order_id, amount):
            is_now = loan.get("state")
        if is_now in states:
            return is_now
        time.sleep(wait or pause)
    print(f"order {order_id}: its loan is {is_now}, not {' or '.join(states)}; settle asks again", file=sys.stderr)
    return is_now


def check(db, order):
    """Ships an order if the service says that it is paid; a return or an event decides nothing. Returns whether the service answered."""
    if order[2] == "refunding":
        return verify(order, "CANCELLED") == "CANCELLED" and note_refund(db, order[0])
    if order[2] != "open":
        return True
    state = verify(order, "ACTIVE")
    if state == "ACTIVE":
        pay(db, order[0])
    return state in ("ACTIVE", "none")


def pay(db, order_id):
    """Marks an order as paid and ships it: both or neither, and only once, because the key of a shipment is its order."""
    db.execute("begin immediate")
    with db:
        if move(db, order_id, "open", "paid"):
            db.execute("insert into shipments values (?)", (order_id,))


def refund(db, order):
    """Cancels the loan of a paid order, for an operator. Goods that were shipped stay shipped. Returns whether the order is refunded."""
    order_id, _, state = order
    if state == "refunded":
        return True
    if state not in ("paid", "refunding"):
        sys.exit(f"order {order_id} is not paid")
    # The loan may be cancelled already, for example by a refund whose answer was lost.
    before = verify(order, "ACTIVE", "PAID", "CANCELLED")
    if before == "CANCELLED":
        return note_refund(db, order_id)
    if before not in ("ACTIVE", "PAID"):
        return False
    # It is on the disk before the call is sent that a loan may be cancelled.
    if not begin_refund(db, order_id, time.time()):
        sys.exit(f"the refund of order {order_id} began less than a minute ago; run settle, and try again later")
    status, _ = call_once(f"/partner/pre-approve/{quote(order_id, safe='')}/loan/cancel", {})
    print(f"order {order_id}: the cancellation was answered {status or 'unclearly'}", file=sys.stderr)
    after = verify(order, "CANCELLED")
    if after == "CANCELLED":
        return note_refund(db, order_id)
    # After an unclear answer the order stays in its state, because the service may still be cancelling the loan.
    if after == before and status is not None and status >= 400:
        move(db, order_id, "refunding", "paid")
    return False


def begin_refund(db, order_id, now):
    """Allows one cancellation to be sent. If its answer was lost, another one is allowed after a minute."""
    allowed = "state = 'paid' or (state = 'refunding' and cancelSentAt < ?)"
    change = f"update orders set state = 'refunding', cancelSentAt = ? where id = ? and ({allowed})"
    return db.execute(change, (now, order_id, now - MINUTE_S)).rowcount == 1


def note_refund(db, order_id):
    """Marks an order as refunded, after a verification has shown that its loan is cancelled."""
    db.execute("update orders set state = 'refunded' where id = ? and state in ('paid', 'refunding')", (order_id,))
    return True


def read(body, **fields):
    """Returns the fields of a JSON object; None when a field is missing or has another type."""
    try:
        given = json.loads(body)
    except ValueError:
        return None
    return given if isinstance(given, dict) and all(type(given.get(n)) is t for n, t in fields.items()) else None


def is_signed(body, headers):
    """Whether a delivery is genuine. The signature is a digest of the raw body, or `t=…,signature=…`: one of the time, a dot and the body."""
    sent = headers.get("service-signature") or headers.get("bancame-signature") or ""
    timed = re.fullmatch(r"t=(\d+),signature=(\w+)", sent)
    signed, given = (timed[1].encode() + b"." + body, timed[2]) if timed else (body, sent)
    right = hmac.new(env["BNPL_WEBHOOK_SECRET"].encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.lower().encode(), right.encode())


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/webhooks":
            return self.receive(body)
        asked = read(body, rut=str, amount=int, email=str)
        if self.path != "/orders" or asked is None:
            return self.answer(400)
        self.answer(*place_order(database(), self.server.url, asked))

    def do_GET(self):
        db = database()
        _, page, order_id = (urlsplit(self.path).path.split("/") + ["", ""])[:3]
        order = find(db, order_id)
        if order is None or page not in ("orders", "return"):
            return self.answer(404)
        if page == "return":
            check(db, order)
        state = find(db, order_id)[2]
        self.answer(200, {"id": order_id, "paid": state == "paid", "refunded": state == "refunded"})

    def receive(self, body):
        """Receives a delivery: verifies its raw bytes, notes its eventId, answers at once, and verifies the order afterwards."""
        if not is_signed(body, self.headers):
            return self.answer(401)
        event = read(body, eventId=str, data=dict)
        if event is None:
            return self.answer(400)
        db = database()
        is_new = db.execute("insert or ignore into events values (?)", (event["eventId"],)).rowcount == 1
        self.answer(200)
        order = find(db, str(event["data"].get("externalTrxId")))
        if is_new and order:
            check(db, order)

    def answer(self, status, body=None):
        text = json.dumps(body or {}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    log_message = lambda *_: None  # The inherited method would log the addresses of customers.


def serve():
    server = ThreadingHTTPServer(("127.0.0.1", int(env.get("PORT", "0"))), Shop)
    server.url = env.get("SHOP_URL", f"http://127.0.0.1:{server.server_port}")
    print(server.url, flush=True)
    server.serve_forever()


def settle():
    """Verifies every order that may be paid, or whose refund was not completed. Returns 0 if each of them is settled, otherwise 1."""
    db = database()
    # An evaluation whose outcome is unknown cannot be looked up, and nobody can pay its order.
    db.execute("update orders set state = 'dropped' where state = 'new'")
    orders = db.execute("select id, amount, state from orders where state in ('open', 'refunding')").fetchall()
    return 0 if all([check(db, order) for order in orders]) else 1


def print_orders():
    rows = "select id, state, count(orderId) from orders left join shipments on orderId = id group by id"
    for order_id, state, fulfilled in database().execute(f"{rows} order by createdAt, id"):
        # An order is paid until its loan is known to be cancelled.
        row = {"externalTrxId": order_id, "paid": state in ("paid", "refunding"), "fulfilled": fulfilled}
        print(json.dumps(row | {"refunded": state == "refunded"}))


def run_refund(order_id):
    db = database()
    order = find(db, order_id) or sys.exit("there is no such order")
    return 0 if refund(db, order) else 1


if __name__ == "__main__":
    database().executescript(SCHEMA)
    commands = {"serve": serve, "orders": print_orders, "settle": settle, "refund": run_refund}
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]))
