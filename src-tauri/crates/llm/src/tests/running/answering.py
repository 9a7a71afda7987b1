"""What the doubles of model programs share: answers with a length, and silence about requests."""

from http.server import BaseHTTPRequestHandler


class Answering(BaseHTTPRequestHandler):
    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
