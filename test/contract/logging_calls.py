"""Calls a function like the emulator. Prints the log of each call as one line of JSON."""

import io
import json
import queue
import sys
import time
import zipfile

import log_marks
from ministack.core import lambda_runtime

FUNCTION = """
export const handler = async ({ lines, text, fails, ends, later }) => {
  for (const line of Array(lines).keys()) console.log(`${line} ${text ?? ''}`);
  if (fails) throw new Error('it fails');
  if (ends) process.exit(1);
  if (later) setTimeout(() => console.error('later'));
  return { status: 'ready' };
};
"""


def call(worker, event):
    return worker.invoke(event, "request")


def call_without_patience(worker, event):
    """The log arrives only after the emulator has stopped waiting for it, and then all at once."""
    def nothing(**_):
        raise queue.Empty

    patience, log_marks.PATIENCE_SECONDS = log_marks.PATIENCE_SECONDS, -1
    worker._stderr_queue.get = nothing
    answer = call(worker, event)
    del worker._stderr_queue.get
    log_marks.PATIENCE_SECONDS = patience
    while worker._stderr_queue.qsize() <= event["lines"]:
        time.sleep(0.01)
    return answer


def main():
    log_marks.mark_logs()
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("index.mjs", FUNCTION)
    config = {"Runtime": "nodejs24.x", "Handler": "index.handler", "FunctionArn": "arn:aws:lambda:us-east-1:000000000000:function:f"}
    worker = lambda_runtime.Worker("f", config, code.getvalue())
    for event in json.load(sys.stdin):
        answer = (call_without_patience if event.get("stalls") else call)(worker, event)
        print(json.dumps({"status": answer["status"], "log": answer["log"].split("\n") if answer["log"] else []}), flush=True)
        # Wait until the function has done its work after the answer.
        while event.get("later") and worker._stderr_queue.empty():
            time.sleep(0.01)
    worker.kill()


main()
