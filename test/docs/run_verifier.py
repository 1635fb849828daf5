"""Runs docs/webhooks/verify.py on the JSON cases from stdin. Writes each event, or null for a refusal."""

import base64
import json
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from verify import InvalidWebhook, verify_webhook  # noqa: E402


def outcome(case):
    try:
        return verify_webhook(base64.b64decode(case["body"]), case["headers"], case["secrets"], case["now"])
    except (InvalidWebhook, ValueError):
        return None


json.dump([outcome(case) for case in json.load(sys.stdin)], sys.stdout)
