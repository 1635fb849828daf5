"""Only admits this run, its functions, and the holders of links that they signed.

Without a guard the emulator accepts an empty key id, `test` and an account id as its root, without a signature. It has
its own paths that anybody may call, and lets scripts of every web page read most of its responses. So each
request passes here first. A web page cannot choose the Host that its browser sends, and knows no secret.
"""

import os
import re
from urllib.parse import parse_qs

from ministack.core.iam_evaluator import CredentialResolutionError, is_root_access_key, resolve_credential
from ministack.core.router import extract_access_key_id
from ministack.core.sigv4 import (
    decode_header_value,
    header_signature_failure,
    parse_header_signature,
    parse_query_signature,
    request_time_failure,
)

ROOT_KEY = os.environ["AWS_ACCESS_KEY_ID"]
ACCOUNT = "000000000000"
# Any port is allowed, for proxies on this machine: a page cannot choose the Host, its browser sends the true one.
OWN_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?")
ALGORITHM = "AWS4-HMAC-SHA256"
HEALTH_PATH = "/_ministack/health"
# The deployed API, which checks the keys of its callers itself. The match is exact: the emulator treats similar paths as
# requests to the AWS service that their headers name.
API_PATH = re.compile(r"/_aws/execute-api/[0-9a-z]+/api/")
# Where the function of a custom resource answers CloudFormation. Each path is for one response, and only that function knows it.
ANSWER_PATH = re.compile(r"/_ministack/cfn-response/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# The emulator serves these before any check. They are not part of AWS' APIs: nobody needs them, even with a signature.
INTERNAL_PATHS = ("/_", "/latest/", "/v2/credentials", "/v4/", "/health")
REFUSAL = b"""{
  "__type": "UnrecognizedClientException",
  "message": "Sign requests to this AWS emulator with a key of the Genway run that started it"
}
"""


def guarded(emulator):
    async def guard(scope, receive, send):
        if scope["type"] == "lifespan":
            await emulator(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            request = Request(scope, receive)
            if await may_enter(request):
                await emulator(scope, request.receive, send)
            else:
                await refuse(send)

    return guard


class Request:
    def __init__(self, scope, receive):
        self.method = scope["method"]
        self.path = scope["path"]
        self.raw_path = scope["raw_path"].decode("latin-1")
        self.query = parse_qs(scope["query_string"].decode("utf-8", "replace"), keep_blank_values=True)
        self.headers = {}
        for name, value in scope["headers"]:
            name, value = name.decode("latin-1").lower(), decode_header_value(value)
            self.headers[name] = f"{self.headers[name]},{value}" if name in self.headers else value
        self.receive = receive

    async def body(self):
        """Reads the whole body; the emulator can still read it afterwards."""
        receive, body, message = self.receive, b"", {"more_body": True}
        while message.get("more_body"):
            message = await receive()
            body += message.get("body", b"")
        unread = [{"type": "http.request", "body": body}]

        async def receive_again():
            return unread.pop() if unread else await receive()

        self.receive = receive_again
        return body


async def may_enter(request):
    if not OWN_HOST.fullmatch(request.headers.get("host", "")):
        return False
    if request.method == "PUT" and ANSWER_PATH.fullmatch(request.path):
        return True
    if API_PATH.match(request.path) or (request.method, request.path) == ("GET", HEALTH_PATH):
        return True
    return not request.path.lower().startswith(INTERNAL_PATHS) and await is_signed(request)


async def is_signed(request):
    """Whether a key that exists here has signed exactly this request."""
    is_link = "authorization" not in request.headers
    signature = link_signature(request) if is_link else header_signature(request)
    if signature is None:
        return False
    key = signature.access_key_id
    # The emulator gives the caller the rights of the key that it finds in the request, so it must find the same key.
    if key != extract_access_key_id(request.headers, request.query) or (is_root_access_key(key) and key != ROOT_KEY):
        return False
    token = request.query.get("X-Amz-Security-Token", [""])[0] if is_link else request.headers.get("x-amz-security-token")
    credential = resolve_credential(key, ACCOUNT, token)
    if isinstance(credential, CredentialResolutionError):
        return False
    # The AWS CLI declares the body's hash only to S3.
    declared = request.headers.get("x-amz-content-sha256", "")
    needs_body = not is_link and (not declared or declared.startswith("STREAMING-" + ALGORITHM))
    failure = header_signature_failure(
        signature,
        credential.secret_access_key,
        signed_method(request),
        request.raw_path,
        request.query,
        request.headers,
        await request.body() if needs_body else b"",
        presigned=is_link,
    )
    return failure is None


def header_signature(request):
    has_link = "X-Amz-Credential" in request.query or "x-amz-credential" in request.query
    if has_link or not request.headers["authorization"].startswith(ALGORITHM + " "):
        return None
    signature = parse_header_signature(request.headers)
    return None if isinstance(signature, tuple) or request_time_failure(signature) else signature


def link_signature(request):
    """Links are only for objects. The emulator itself checks when they expire."""
    if request.query.get("X-Amz-Algorithm") != [ALGORITHM]:
        return None
    signature = parse_query_signature(request.query)
    return None if isinstance(signature, tuple) or signature.service != "s3" else signature


def signed_method(request):
    """A browser first asks with the same link whether its script may use it (CORS preflight)."""
    return request.headers.get("access-control-request-method") if request.method == "OPTIONS" else request.method


async def refuse(send):
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(REFUSAL)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSAL})
