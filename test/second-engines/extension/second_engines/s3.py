"""Objects are the S3 server's. The emulator checks each request's signature, and the server that of this module.

A function's key comes with the token of its session. The server knows no sessions, so each request is signed anew, as
its root. Nothing else in it changes. `test/contract/object-uploads.test.ts` shows the server our own signatures.
"""

import contextvars
import http.client
import re
import threading
import urllib.parse
from collections import defaultdict
from contextlib import nullcontext

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from ministack.services import s3 as emulated

from .engine import ENGINES, REGION, Once, in_thread, note

# The request as it came: the emulator's handlers get its path decoded.
asked = contextvars.ContextVar("asked", default=None)
# What concerns the objects of a bucket, and not its settings.
OF_OBJECTS = {"list-type", "delete", "uploads", "versions", "location"}
OF_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect", "host"}
OF_SIGNATURE = {"authorization", "x-amz-date", "x-amz-security-token"}
# VersityGW begins an upload again for a part that arrives while it is aborted, so its requests are made one by one.
uploads = defaultdict(threading.Lock)
IN_LINK = re.compile(r"X-Amz-(Algorithm|Credential|Date|Expires|Security-Token|Signature|SignedHeaders)=")


def take_over():
    own = emulated.handle_request

    async def handle(method, path, headers, body, query, *given, **more):
        bucket, _, key = path.lstrip("/").partition("/")
        removes_bucket = method == "DELETE" and key == "" and query == {}
        is_known = asked.get() is not None and bucket in emulated._buckets and not given and not more
        if not is_known or not (key or removes_bucket or OF_OBJECTS & set(query)):
            return await own(method, path, headers, body, query, *given, **more)
        if refusal := emulated._verify_presigned_sigv4(method, path, headers, query):
            return refusal
        headers = emulated._merge_hoisted_amz_headers(headers, query)
        answer = await in_thread(forward, bucket, method, query, headers, body)
        if removes_bucket and answer[0] == 204:
            create_bucket.forget(bucket)
            return await own(method, path, headers, body, query)
        return answer

    emulated.handle_request = handle
    emulated._get_object_data = read


def read(bucket, key, version_id=None):
    """Templates and programs, for stacks and functions. @returns None if there is no such object"""
    version = f"?versionId={version_id}" if version_id else ""
    status, _, content = send("GET", f"/{bucket}/{urllib.parse.quote(key)}{version}", {}, b"")
    return content if status == 200 else None


def forward(bucket, method, query, headers, body):
    create_bucket(bucket)
    path, pairs = (asked.get()[part].decode("latin-1") for part in ("raw_path", "query_string"))
    kept = "&".join(pair for pair in pairs.split("&") if pair and not IN_LINK.match(pair))
    sent = {name: value for name, value in headers.items() if name not in OF_CONNECTION | OF_SIGNATURE}
    with uploads[query["uploadId"][0]] if "uploadId" in query else nullcontext():
        status, told, content = send(method, f"{path}?{kept}" if kept else path, sent, body)
    error = re.search(rb"<Code>(\w+)", content) if status >= 400 else None
    note("s3", method, status, error[1].decode() if error else "")
    return status, {name: value for name, value in told if name.lower() not in OF_CONNECTION}, content


class AsSent(S3SigV4Auth):
    def payload(self, request):
        """What the caller has said of the body's hash stays."""
        return request.context["sha256"]


ROOT = AsSent(Credentials(ENGINES["root"]["accessKeyId"], ENGINES["root"]["secretAccessKey"]), "s3", REGION)


def send(method, target, headers, body):
    """@returns status, headers and body"""
    request = AWSRequest(method, ENGINES["s3"] + target, headers=headers, data=body)
    request.context["sha256"] = headers.get("x-amz-content-sha256", "UNSIGNED-PAYLOAD")
    ROOT.add_auth(request)
    # Most libraries write a path anew, and then the signature is wrong.
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(ENGINES["s3"]).netloc, timeout=120)
    connection.request(method, target, body=body or None, headers=dict(request.headers.items()))
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, answer.getheaders(), content


def make_bucket(name):
    versioning = emulated._get_bucket_versioning(name)[2]
    for target, body in ((f"/{name}", b""), (f"/{name}?versioning=", versioning)):
        if target.endswith("=") and b"<Status>" not in body:
            continue
        status, _, content = send("PUT", target, {}, body)
        if status != 200:
            raise RuntimeError(f"PUT {target}: {status} {content.decode()}")
    return True


create_bucket = Once(make_bucket)
