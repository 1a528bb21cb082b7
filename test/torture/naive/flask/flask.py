"""Stands in for the package `flask`: the part of it that the shop beside this file uses."""

import json
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

request = threading.local()


def redirect(location):
    return "", 302, {"Location": location}


class Flask:
    def __init__(self, name):
        self.views = {}
        self.logger = SimpleNamespace(warning=lambda text, *values: print(text % values, file=sys.stderr))

    def get(self, path, method="GET"):
        def add(view):
            self.views[method, path] = view
            return view

        return add

    def post(self, path):
        return self.get(path, "POST")

    def run(self, port):
        class Handler(BaseHTTPRequestHandler):
            views = self.views
            log_message = lambda *_: None

            def do_GET(self):
                url, body = urlsplit(self.path), self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request.host_url, request.headers = f"http://{self.headers['Host']}/", self.headers
                request.args, request.form = dict(parse_qsl(url.query)), dict(parse_qsl(body.decode()))
                request.get_data, request.get_json = lambda: body, lambda: json.loads(body)
                try:
                    answer = self.views.get((self.command, url.path), lambda: ("not found", 404))()
                except Exception:
                    traceback.print_exc()
                    answer = "failed", 500
                answer = answer if isinstance(answer, tuple) else (answer, 200)
                text, status, headers = answer if len(answer) == 3 else (*answer, {})
                self.send_response(status)
                for name, value in {"Content-Length": str(len(text.encode())), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_POST = do_GET

        ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
