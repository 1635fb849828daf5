"""Two calls of a function end. The second one ends when the first has a log stream that is still empty."""

from function_logs import tell_logs
from ministack.services import cloudwatch_logs, lambda_svc

append = cloudwatch_logs._append_log_events
waiting = ["second"]


def end_call(text):
    lambda_svc._emit_lambda_logs({"config": {"FunctionName": "f"}}, text, text, False, 1)


def append_after_the_other(stream, events):
    if waiting:
        end_call(waiting.pop())
    append(stream, events)


tell_logs()
cloudwatch_logs._append_log_events = append_after_the_other
end_call("first")
