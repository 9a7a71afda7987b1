"""Makes `vectors.json`: requests signed by botocore, at one moment. Run by hand: `python3 vectors.py > vectors.json` (needs botocore)."""

import datetime
import json

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

NOW = datetime.datetime(2026, 11, 20, 12, 0, 0, tzinfo=datetime.timezone.utc)
CASES = [
    ("POST", "https://bedrock-runtime.us-west-2.amazonaws.com/model/anthropic.claude-v2%3A1/converse-stream", '{"messages":[]}', "bedrock", "us-west-2", None),
    ("POST", "https://bedrock-runtime.eu-central-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Ainference-profile%2Fx/invoke", '{"inputText":"ü"}', "bedrock", "eu-central-1", "a+session/token=="),
    ("GET", "https://bedrock.us-west-2.amazonaws.com/foundation-models", "", "bedrock", "us-west-2", None),
    ("GET", "https://bedrock.us-west-2.amazonaws.com/foundation-models?byProvider=Meta%20AI&a=b%2Fc", "", "bedrock", "us-west-2", None),
    ("POST", "https://runtime.sagemaker.us-east-1.amazonaws.com/endpoints/my-endpoint/invocations", '{"inputs":["a"]}', "sagemaker", "us-east-1", None),
    ("POST", "http://127.0.0.1:4566/endpoints/my_endpoint~1/invocations", "[1,2]", "sagemaker", "us-east-1", "token"),
]


class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW if tz else NOW.replace(tzinfo=None)

    @classmethod
    def utcnow(cls):
        return NOW.replace(tzinfo=None)


botocore.auth.datetime.datetime = Frozen
if hasattr(botocore.auth, "get_current_datetime"):
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: NOW.replace(tzinfo=None) if remove_tzinfo else NOW
vectors = []
for method, url, body, service, region, token in CASES:
    headers = {"Content-Type": "application/json"} if body else {}
    request = AWSRequest(method=method, url=url, data=body.encode(), headers=headers)
    keys = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", token)
    botocore.auth.SigV4Auth(keys, service, region).add_auth(request)
    assert request.headers["X-Amz-Date"] == "20261120T120000Z", request.headers["X-Amz-Date"]
    vectors.append(
        {"method": method, "url": url, "body": body, "service": service, "region": region, "token": token,
         "now": int(NOW.timestamp() * 1_000_000), "authorization": request.headers["Authorization"]}
    )
print(json.dumps(vectors, indent=1, ensure_ascii=False))
