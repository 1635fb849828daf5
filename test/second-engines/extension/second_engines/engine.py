"""What the three have in common: where the engines are, calling them beside the event loop, and a note of each call."""

import asyncio
import contextvars
import fcntl
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import urllib3

ENGINES = json.loads(os.environ["GENWAY_SECOND_ENGINES"])
ACCOUNT, REGION = "000000000000", "us-east-1"

threads = ThreadPoolExecutor(128)
pool = urllib3.PoolManager(maxsize=128, retries=False, timeout=60)
notes = open(ENGINES["requests"], "a")
one_at_a_time = threading.Lock()


def are_free():
    """Whether no other emulator has the engines. Then this one has them to its end."""
    try:
        fcntl.flock(notes, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False


async def in_thread(work, *given):
    """The emulator keeps a request's account and region in context variables."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(threads, lambda: context.run(work, *given))


def note(engine, operation, status, error=""):
    with one_at_a_time:
        notes.write(f"{engine} {operation} {status} {error}\n")
        notes.flush()


def post_json(engine, target, body):
    """One request of AWS' JSON protocol. The engines want a signature, but do not check it: the emulator has.

    @returns status, headers and body"""
    service = engine.split(".")[0]
    scope = f"secondengines/20200101/{REGION}/{service}/aws4_request"
    headers = {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": target,
        "authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0",
    }
    answer = pool.request("POST", ENGINES[service], body=body, headers=headers)
    operation = target.split(".")[-1]
    if operation not in ("GetRecords", "ReceiveMessage") or answer.status != 200:
        kind = "" if answer.status == 200 else json.loads(answer.data or b"{}").get("__type", "").split("#")[-1]
        note(service, operation, answer.status, kind)
    return answer.status, answer.headers, answer.data


def ask(engine, target, request):
    """For what the emulator itself needs. @throws if the engine refuses"""
    status, _, body = post_json(engine, target, json.dumps(request).encode())
    if status != 200:
        raise RuntimeError(f"{target}: {body.decode()}")
    return json.loads(body or b"{}")


class Once:
    """Makes something for each name, once, however many ask for it at a time."""

    def __init__(self, make):
        self.make = make
        self.made = set()
        self.lock = threading.RLock()

    def __call__(self, name):
        if name in self.made:
            return
        with self.lock:
            if name not in self.made and self.make(name):
                self.made.add(name)

    def forget(self, name):
        self.made.discard(name)
