"""A shop that sells in installments, as a hurried tutorial for Flask writes it: python3 shop.py [orders|settle]"""

import hashlib
import hmac
import json
import os
import sqlite3
import sys
import time
import uuid
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from flask import Flask, redirect, request

env = os.environ
PRICE = 250000

app = Flask(__name__)


def query(sql, *values):
    with sqlite3.connect(env.get("SHOP_DATA", "shop.db")) as db:
        return db.execute(sql, values).fetchall()


query("create table if not exists orders (id text, amount int, paid int, shipped int)")


def call(path, **fields):
    headers = {"Authorization": "Bearer " + env["BNPL_API_KEY"]}
    app.logger.warning("POST %s %s %s", path, headers, fields)
    # The service is sometimes down, so every call is tried again.
    for _ in range(3):
        try:
            body = urlencode(fields).encode()
            with urlopen(Request(env["BNPL_BASE_URL"] + path, body, headers)) as answer:
                return json.load(answer)["data"]
        except Exception as error:
            app.logger.warning("failed: %s", error)
            time.sleep(0.1)


def verify(order):
    return call(f"/partner/pre-approve/{order}/loan") is not None


def pay(order):
    query("update orders set paid = 1, shipped = shipped + 1 where id = ?", order)


@app.get("/")
def index():
    return '<form method="post" action="/checkout"><input name="rut"><input name="email"><button>Buy</button></form>'


@app.post("/checkout")
def checkout():
    order = str(uuid.uuid4())
    payment = {"externalTrxId": order, "amount": PRICE, "entityId": env["BNPL_ENTITY_ID"]}
    if not call("/partner/pre-loan-request/bnpl", **payment, idNumber=request.form["rut"]):
        return "You cannot pay in installments.", 400
    token = call("/partner/widget/start", **payment, email=request.form["email"])["widgetToken"]
    parameters = {
        "widgetToken": token,
        "publicKey": env["BNPL_PUBLIC_KEY"],
        "successReturnUrl": f"{request.host_url}success?order={order}",
        "errorReturnUrl": f"{request.host_url}error",
    }
    return redirect(f"{env['BNPL_PAYMENT_URL']}/?{urlencode(parameters)}")


@app.get("/success")
def success():
    order = request.args["order"]
    query("insert into orders values (?, ?, 0, 0)", order, PRICE)
    if verify(order):
        pay(order)
    return "Thank you for your order!"


@app.get("/error")
def error():
    return "The payment failed."


@app.post("/webhooks")
def webhooks():
    body = json.dumps(request.get_json()).encode()
    digest = hmac.new(env["BNPL_WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()
    if digest != request.headers.get("service-signature"):
        return "wrong signature", 403
    pay(request.get_json()["data"]["externalTrxId"])
    return "ok"


def settle():
    for (order,) in query("select id from orders where paid = 0"):
        if verify(order):
            pay(order)
        else:
            query("delete from orders where id = ?", order)


def print_orders():
    for order, paid, shipped in query("select id, paid, shipped from orders"):
        print(json.dumps({"externalTrxId": order, "paid": paid == 1, "fulfilled": shipped}))


if __name__ == "__main__":
    if sys.argv[1:] == ["orders"]:
        print_orders()
    elif sys.argv[1:] == ["settle"]:
        settle()
    else:
        app.run(port=int(env["PORT"]))
