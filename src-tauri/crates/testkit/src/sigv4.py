"""Checks the signature of a request to Amazon (Signature Version 4) by the documented steps, with nothing but the standard library.

Reads the request as JSON from standard input, writes `ok`, or what is wrong.
"""

import hashlib
import hmac
import json
import re
import sys
from urllib.parse import parse_qsl, quote


def digest(data):
    return hashlib.sha256(data).hexdigest()


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def check(request):
    headers = request["headers"]
    form = r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$"
    found = re.match(form, headers.get("authorization", ""))
    if not found:
        return "Missing or malformed Authorization header"
    access_key, day, region, service, names, signature = found.groups()
    if access_key != request["access_key"]:
        return "The security token included in the request is invalid"
    stamp = headers.get("x-amz-date", "")
    if not re.match(r"\d{8}T\d{6}Z$", stamp) or stamp[:8] != day:
        return "Date in Credential scope does not match X-Amz-Date"
    wanted = "bedrock"
    if request["path"].startswith("/endpoints/"):
        wanted = "sagemaker"
    elif request["path"].startswith("/?"):
        wanted = "sts"
    if service != wanted:
        return f"Credential should be scoped to correct service: {wanted!r}"
    signed = names.split(";")
    for needed in ["host", "x-amz-date"] + (["x-amz-security-token"] if "x-amz-security-token" in headers else []):
        if needed not in signed:
            return f"{needed} is not signed"
    if signed != sorted(signed):
        return "SignedHeaders are not sorted"
    path, _, query = request["path"].partition("?")
    pairs = sorted((quote(name, safe="-_.~"), quote(value, safe="-_.~")) for name, value in parse_qsl(query, True))
    canonical = "\n".join(
        [
            request["method"],
            quote(path, safe="/-_.~"),
            "&".join(f"{name}={value}" for name, value in pairs),
            "".join(f"{name}:{' '.join(headers[name].split())}\n" for name in signed),
            names,
            digest(bytes(request["body"])),
        ]
    )
    scope = f"{day}/{region}/{service}/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{digest(canonical.encode())}"
    key = ("AWS4" + request["secret_key"]).encode()
    for part in [day, region, service, "aws4_request"]:
        key = mac(key, part)
    if mac(key, text).hex() != signature:
        return "The request signature we calculated does not match the signature you provided"
    return "ok"


print(check(json.load(sys.stdin)))
