"""Lets a call of a function end when the last of its log lines has come.

The emulator reads what a function logs beside its answer, and so cannot know whether more will come: it waits for some
5 ms after the last line and 50 ms for the first, and on a busy machine misses what comes later. With a mark between
the lines and the answer it need not guess.
"""

import queue
import secrets
import time

from ministack.core import lambda_runtime

MARK = secrets.token_hex(16)
# How often it is looked whether a function has ended, which sends no mark then.
LOOK_SECONDS = 0.05
# For a program that a function has started and that outlives it with its end of the pipe.
PATIENCE_SECONDS = 5
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
    guess = lambda_runtime.Worker._drain_stderr_bounded

    def drain(worker):
        is_node = worker.config["Runtime"].startswith("nodejs")
        return lines_before_mark(worker) if is_node else guess(worker)

    lambda_runtime.Worker._drain_stderr_bounded = drain


def lines_before_mark(worker):
    lines = []
    logged = worker._stderr_queue
    # Of calls that were not waited for: theirs come first.
    marks = 1 + getattr(logged, "missed_marks", 0)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while marks > 0:
        has_ended = not worker._stderr_thread.is_alive() or time.monotonic() > deadline
        try:
            line = logged.get(timeout=0 if has_ended else LOOK_SECONDS)
        except queue.Empty:
            if has_ended:
                break
            continue
        if line == MARK:
            marks -= 1
        else:
            lines.append(line)
    logged.missed_marks = marks
    return "\n".join(lines)
