"""Tells what functions log to the run that started the emulator: on standard output, a JSON document a line.

The emulator makes a log stream for every invocation and keeps it for ever. To ask it for them over HTTP, and to have
them deleted, costs more than many an invocation does.
"""

import json
import os
import threading

from ministack.services import cloudwatch_logs, lambda_svc


def tell_logs():
    """To be called once, before the first function runs. Whatever else is printed goes to standard error."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    one_at_a_time = threading.Lock()
    keep = lambda_svc._emit_lambda_logs

    def tell(func, *invocation, **more):
        keep(func, *invocation, **more)
        text = "".join(f"{json.dumps(line)}\n" for line in taken_lines(log_group_of(func)))
        try:
            with one_at_a_time:
                output.write(text)
                output.flush()
        except BrokenPipeError:
            # The run has ended, and the emulator is about to.
            pass

    lambda_svc._emit_lambda_logs = tell


def log_group_of(func):
    config = func.get("config") or func
    return (config.get("LoggingConfig") or {}).get("LogGroup") or f"/aws/lambda/{config.get('FunctionName')}"


def taken_lines(log_group):
    """Invocations end at the same time, in threads: `pop` gives each stream to one of them. One without events is
    left, as its own invocation is about to fill it."""
    streams = (cloudwatch_logs._log_groups.get(log_group) or {}).get("streams", {})
    for name, stream in list(streams.items()):
        if not stream["events"] or streams.pop(name, None) is None:
            continue
        for event in stream["events"]:
            yield {"logGroup": log_group, "time": event["timestamp"], "text": event["message"]}
