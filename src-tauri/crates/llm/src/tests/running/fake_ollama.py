#!/usr/bin/env python3
"""A program that is started as Ollama is and speaks its protocol, as far as a model of a file needs it."""

import json
import os
import signal
import sys
from http.server import HTTPServer

from answering import Answering

# Run through a link: its folder is where it writes.
folder = os.path.dirname(sys.argv[0])
models = os.environ["OLLAMA_MODELS"]
host, port = os.environ["OLLAMA_HOST"].split(":")
known = set()

with open(os.path.join(folder, "starts"), "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\n")
with open(os.path.join(folder, "process"), "w") as file:
    file.write(str(os.getpid()))


def end(*_):
    open(os.path.join(folder, "ended well"), "w").close()
    os._exit(0)


signal.signal(signal.SIGTERM, end)


class Server(Answering):
    def say(self, status, value):
        self.answer(status, "application/json", json.dumps(value).encode())

    def do_GET(self):
        if self.path == "/api/version":
            self.say(200, {"version": "0.13.0"})
        else:
            self.say(404, {"error": "not found"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/create":
            [digest] = body["files"].values()
            with open(os.path.join(models, "blobs", digest.replace(":", "-")), "rb") as file:
                if file.read(4) != b"GGUF":
                    return self.say(400, {"error": "unknown type"})
            known.add(body["model"])
            self.say(200, {"status": "success"})
        elif body["model"] not in known:
            self.say(404, {"error": f"model '{body['model']}' not found"})
        elif self.path == "/api/chat":
            lines = [
                {"message": {"role": "assistant", "content": "Hello from "}, "done": False},
                {"message": {"role": "assistant", "content": body["model"]}, "done": False},
                {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop",
                 "prompt_eval_count": 5, "eval_count": 4},
            ]
            self.answer(200, "application/x-ndjson", "".join(json.dumps(line) + "\n" for line in lines).encode())
        elif self.path == "/api/embed":
            self.say(200, {"embeddings": [[1.0, 0.5] for _ in body["input"]], "prompt_eval_count": 2})
        else:
            self.say(404, {"error": "not found"})


HTTPServer((host, int(port)), Server).serve_forever()
