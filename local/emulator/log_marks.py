"""Ends a call of a function as soon as its last log line has arrived.

The emulator reads a function's log lines and its response from two pipes, so it cannot know whether more lines will
come. It waits 50 ms for the first line and about 5 ms after the last, and on a busy machine misses later lines. With a
mark between the lines and the response it does not have to guess.
"""

import queue
import secrets
import time

from ministack.core import lambda_runtime

MARK = secrets.token_hex(16)
# How often to check whether a function has ended, because a dead function sends no mark.
LOOK_SECONDS = 0.05
# For a program that a function has started, that outlives it and keeps its end of the pipe open.
PATIENCE_SECONDS = 5
# Runs before the emulator's own program around each function, whose responses then pass through this. Both pipes are
# written synchronously, so the mark arrives before the response. The first output, that it is ready, gets no mark.
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
