"""Runs verify_webhook of a folder's module on the JSON cases from stdin. Writes each event, or null for a refusal."""

import base64
import importlib
import json
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
module = importlib.import_module(sys.argv[2])


def outcome(case):
    try:
        return module.verify_webhook(base64.b64decode(case["body"]), case["headers"], case["secrets"], case["now"])
    except Exception:
        return None


json.dump([outcome(case) for case in json.load(sys.stdin)], sys.stdout)
