"""Calls a function as the emulator does, and prints what it logged in each call, a JSON document a line."""

import io
import json
import sys
import time
import zipfile

from log_marks import mark_logs
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


def main():
    mark_logs()
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("index.mjs", FUNCTION)
    config = {"Runtime": "nodejs24.x", "Handler": "index.handler", "FunctionArn": "arn:aws:lambda:us-east-1:000000000000:function:f"}
    worker = lambda_runtime.Worker("f", config, code.getvalue())
    for event in json.load(sys.stdin):
        answer = worker.invoke(event, "request")
        print(json.dumps({"status": answer["status"], "log": answer["log"].split("\n") if answer["log"] else []}), flush=True)
        # Until what a call does after its answer has happened.
        while event.get("later") and worker._stderr_queue.empty():
            time.sleep(0.01)
    worker.kill()


main()
