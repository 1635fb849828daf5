"""Serves the emulator for one local run, in a private virtual environment or in its container.

It saves its state and stops when standard input closes. The end of the run closes that pipe, whatever the cause, so
no process is left behind.
"""

import asyncio
import fcntl
import importlib
import logging
import os
import signal
import sys
import threading
import time

# The modules beside this one are in a checkout or in a read-only folder.
sys.dont_write_bytecode = True

STATE_IN_USE = 75
LOCK_PATIENCE_SECONDS = 10


def lock_state():
    """The kernel releases this lock with the process. We wait for an earlier process that is still saving its state."""
    lock = open(os.path.join(os.environ["STATE_DIR"], "lock"), "w")
    deadline = time.monotonic() + LOCK_PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                sys.exit(STATE_IN_USE)
            time.sleep(0.1)


def when_parent_leaves(stop):
    # os.read, because a buffered reader would still hold its lock when the interpreter shuts down.
    while os.read(0, 4096):
        pass
    stop()


def extended(emulator):
    """A module may stand in front of some services, as `npm run engines` puts other engines in their place."""
    name = os.environ.get("GENWAY_EMULATOR_EXTENSION")
    return importlib.import_module(name).extend(emulator) if name else emulator


async def serve_emulator():
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
    from cloudformation import correct_cloudformation
    from log_marks import mark_logs
    from role_keys import hide_role_keys

    hide_role_keys()
    mark_logs()
    correct_cloudformation()
    from function_logs import tell_logs
    from guard import guarded
    from ministack.app import app as emulator

    async def behind_tls(scope, receive, send):
        # Policies refuse requests without TLS (aws:SecureTransport), and the emulator enforces them too.
        # Here loopback replaces TLS, as behind a proxy that terminates it.
        if scope["type"] == "http":
            scope = {**scope, "scheme": "https"}
        await emulator(scope, receive, send)

    tell_logs()
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopped.set)
    stop = lambda: loop.call_soon_threadsafe(stopped.set)
    threading.Thread(target=when_parent_leaves, args=(stop,), daemon=True).start()

    config = Config()
    config.bind = [f"{os.environ['BIND_HOST']}:{os.environ['GATEWAY_PORT']}"]
    config.keep_alive_timeout = 75
    config.graceful_timeout = 2
    await serve(guarded(extended(behind_tls)), config, shutdown_trigger=stopped.wait)
    # The state is saved. Without this, threads that wait for functions would keep the process alive.
    logging.shutdown()
    os._exit(0)


if __name__ == "__main__":
    state_lock = lock_state()
    asyncio.run(serve_emulator())
