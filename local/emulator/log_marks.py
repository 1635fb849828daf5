"""Lets a call of a function end when the last of its log lines has come.

The emulator reads what a function logs beside its answer, and so cannot know whether more will come: it waits for some
5 ms after the last line and 50 ms for the first, and on a busy machine misses what comes later. With a mark between
the lines and the answer it need not guess.
"""

import queue
import secrets

from ministack.core import lambda_runtime

MARK = secrets.token_hex(16)
# A function that has been killed sends no mark.
PATIENCE_SECONDS = 0.25
# Before the emulator's own program around each function, which then sends its answers through this. Both pipes are
# written to synchronously, so the mark is there before the answer is. What it says first, that it is ready, is none.
MARKING = f"""
const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) => {{
  if (!text.startsWith('{{"status":"ready"')) process.stderr.write('{MARK}\\n');
  return answer(text, ...more);
}};
"""


def mark_logs():
    lambda_runtime._NODEJS_WORKER_SCRIPT = f"{{{MARKING}}}{lambda_runtime._NODEJS_WORKER_SCRIPT}"
    lambda_runtime.Worker._drain_stderr_bounded = lines_before_mark


def lines_before_mark(worker):
    lines = []
    try:
        while (line := worker._stderr_queue.get(timeout=PATIENCE_SECONDS)) != MARK:
            lines.append(line)
    except queue.Empty:
        pass
    return "\n".join(lines)
