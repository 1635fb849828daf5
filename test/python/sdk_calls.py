"""Calls operations of official Python clients, one for each line of JSON that comes in; a line with the outcome goes out."""

import inspect
import io
import json
import os
import sys
import warnings

import anthropic
import openai
import openrouter

warnings.simplefilter("ignore")
url, key = os.environ["GENWAY_URL"], os.environ["GENWAY_API_KEY"]
clients = {
    "openrouter": openrouter.OpenRouter(server_url=url, api_key=key, retry_config=None),
    "openai": openai.OpenAI(base_url=url, api_key=key, max_retries=0),
    "anthropic": anthropic.Anthropic(base_url=url.removesuffix("/v1"), api_key=key, max_retries=0),
}


def find(name):
    found = clients
    for part in name.split("."):
        found = found[part] if isinstance(found, dict) else getattr(found, part)
    return found


def operations(resource):
    methods = inspect.getmembers(type(find(resource)), inspect.isfunction)
    names = [f"{resource}.{name}" for name, _ in methods if not name.startswith("_") and name != "do_request"]
    return [name for name in names if not name.endswith("_async")]


def given(value, client):
    """A file is text under a name; the clients want it in different forms."""
    if not isinstance(value, dict) or "$file" not in value:
        return value
    name, content = value["$file"]
    if client != "openrouter":
        return (name, content.encode())
    return {"file_name": name, "content": io.BytesIO(content.encode()), "content_type": "text/plain"}


def call(name, args, fields):
    client = name.split(".")[0]
    found = find(name)(*args, **{field: given(value, client) for field, value in fields.items()})
    answer = getattr(found, "result", found)
    return answer.model_dump(mode="json") if hasattr(answer, "model_dump") else None


for line in sys.stdin:
    asked = json.loads(line)
    try:
        if "resource" in asked:
            told = {"answer": operations(asked["resource"])}
        else:
            told = {"answer": call(asked["call"], asked["args"], asked["fields"])}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"[:2000], "status": getattr(error, "status_code", None)}
    print(json.dumps(told), flush=True)
