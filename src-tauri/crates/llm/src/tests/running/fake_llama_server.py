#!/usr/bin/env python3
"""A program that takes the arguments of llama.cpp's `llama-server` and speaks its protocol, without any model."""

import json
import os
import sys
from http.server import HTTPServer

from answering import Answering

# Run through a link: its folder is where it writes, its name says how it behaves.
folder, manners = os.path.split(sys.argv[0])
arguments = sys.argv[1:]


def value(name):
    return arguments[arguments.index(name) + 1]


with open(os.path.join(folder, "starts"), "a") as file:
    file.write(" ".join(arguments) + "\n")
with open(os.path.join(folder, "starts")) as file:
    is_first = len(file.readlines()) == 1
with open(os.path.join(folder, "key"), "w") as file:
    file.write(os.environ["LLAMA_API_KEY"])
with open(os.path.join(folder, "process"), "w") as file:
    file.write(str(os.getpid()))
if manners == "crash":
    print("error: failed to load model", file=sys.stderr)
    sys.exit(1)
with open(value("--model"), "rb") as file:
    assert file.read(4) == b"GGUF"

looks = 0
has_answered = False


class Server(Answering):
    def do_GET(self):
        global looks
        looks += 1
        is_mute = manners == "mute" and is_first and has_answered
        if looks < 3 or is_mute:
            self.answer(503, "application/json", b'{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}')
        else:
            self.answer(200, "application/json", b'{"status":"ok"}')

    def do_POST(self):
        global has_answered
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Authorization") != "Bearer " + os.environ["LLAMA_API_KEY"]:
            self.answer(401, "application/json", b'{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}')
        elif self.path == "/v1/chat/completions" and "--jinja" in arguments:
            chunks = [
                {"choices": [{"index": 0, "delta": {"content": "Hello from "}, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {"content": value("--alias")}, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 4}},
            ]
            text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
            self.answer(200, "text/event-stream", text.encode())
        elif self.path == "/v1/embeddings" and "--embeddings" in arguments:
            rows = [{"index": at, "embedding": [1.0, 0.5]} for at in range(len(body["input"]))]
            self.answer(200, "application/json", json.dumps({"data": rows, "usage": {"prompt_tokens": 2}}).encode())
        else:
            self.answer(404, "application/json", b'{"error":{"message":"File Not Found","type":"not_found_error","code":404}}')
        self.wfile.flush()
        has_answered = True
        if manners == "once" and is_first:
            os._exit(0)


HTTPServer((value("--host"), int(value("--port"))), Server).serve_forever()
