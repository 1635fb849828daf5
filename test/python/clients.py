"""Runs the official Python clients; only their address differs. Prints what they read as one line of JSON."""

import json
import os
import time
import warnings

import openai
import requests

# The client warns about a change of OpenAI's service, which this test does not call.
warnings.simplefilter("ignore", DeprecationWarning)
url, key = os.environ["GENWAY_URL"], os.environ["GENWAY_API_KEY"]
client = openai.OpenAI(base_url=url, api_key=key, max_retries=0)
headers = {"Authorization": f"Bearer {key}"}


def files():
    expiry = {"anchor": "created_at", "seconds": 3600}
    stored = client.files.create(file=("a.jsonl", b'{"a":1}\n{"b":2}\n'), purpose="batch", expires_after=expiry)
    listed = [each.id for each in client.files.list(purpose="batch")]
    return {
        "listed": listed == [stored.id],
        "lives": stored.expires_at - stored.created_at,
        "content": client.files.content(stored.id).read().decode(),
        "deleted": client.files.delete(stored.id).deleted,
    }


def videos(image):
    with open(image, "rb") as reference:
        video = client.videos.create(
            model="sandbox/clip-1", prompt="A fox", seconds="1", size="640x360", input_reference=reference
        )
    created = [video.object, video.status, video.seconds, video.size]
    while video.status in ("queued", "in_progress"):
        time.sleep(0.5)
        video = client.videos.retrieve(video.id)
    content = client.videos.download_content(video.id).read()
    return {
        "created": created,
        "ended": [video.status, video.progress],
        "listed": [each.id for each in client.videos.list()] == [video.id],
        "content": content[4:8].decode(),
        "deleted": client.videos.delete(video.id).deleted,
    }


def refusal():
    try:
        client.videos.create(model="sandbox/clip-1", prompt="A fox", seconds="99")
    except openai.BadRequestError as error:
        return [error.type, error.param]


def form(image):
    with open(image, "rb") as file:
        stored = requests.post(f"{url}/files", headers=headers, files={"file": file}, data={"purpose": "vision"})
    named = requests.post(f"{url}/files", headers=headers, files={"file": ("naïve.txt", b"words")})
    download = requests.get(f"{url}/files/{stored.json()['id']}/content", headers=headers)
    with open(image, "rb") as file:
        same = download.content == file.read()
    return [stored.json()["mime_type"], named.json()["filename"], same]


image = os.environ["IMAGE"]
print(json.dumps({"files": files(), "videos": videos(image), "refusal": refusal(), "form": form(image)}))
