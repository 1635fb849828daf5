"""Messages are ElasticMQ's. Its queues are those that the emulator knows."""

import json
import threading
import time

from ministack.core.concurrency import esm_wake
from ministack.services import sqs as emulated

from .engine import Once, ask, in_thread, post_json

OPERATIONS = {
    "SendMessage", "SendMessageBatch", "ReceiveMessage", "DeleteMessage", "DeleteMessageBatch",
    "ChangeMessageVisibility", "ChangeMessageVisibilityBatch", "GetQueueAttributes", "PurgeQueue",
}
ATTRIBUTES = {
    "VisibilityTimeout", "DelaySeconds", "ReceiveMessageWaitTimeSeconds", "RedrivePolicy", "MaximumMessageSize",
    "MessageRetentionPeriod",
}


def take_over():
    own = emulated.handle_request

    async def handle(method, path, headers, body, query):
        target = headers.get("x-amz-target", "")
        operation = target.split(".")[-1]
        url = json.loads(body or b"{}").get("QueueUrl") if target.startswith("AmazonSQS.") else None
        if operation == "DeleteQueue":
            create_queue.forget(url)
        if operation not in OPERATIONS or url not in emulated._queues:
            return await own(method, path, headers, body, query)

        def forward():
            create_queue(url)
            return post_json("sqs", target, body)

        status, told, answer = await in_thread(forward)
        kept = {"Content-Type": "application/x-amz-json-1.0"}
        if error := told.get("x-amzn-query-error"):
            kept["x-amzn-query-error"] = error
        return status, kept, answer

    emulated.handle_request = handle
    emulated._receive_messages_for_esm = receive
    emulated._delete_messages_for_esm = delete
    threading.Thread(target=wake, daemon=True).start()


def make_queue(url):
    attributes = {name: value for name, value in emulated._queues[url]["attributes"].items() if name in ATTRIBUTES}
    if redrive := attributes.get("RedrivePolicy"):
        create_queue(emulated._queue_url(json.loads(redrive)["deadLetterTargetArn"].split(":")[-1]))
    ask("sqs", "AmazonSQS.CreateQueue", {"QueueName": url.rsplit("/", 1)[-1], "Attributes": attributes})
    return True


create_queue = Once(make_queue)


def receive(url, most):
    """The emulator hands these to the functions that consume the queue."""
    create_queue(url)
    asked = {
        "QueueUrl": url,
        "MaxNumberOfMessages": min(int(most or 1), 10),
        "AttributeNames": ["All"],
        "MessageAttributeNames": ["All"],
    }
    return [as_emulated(message) for message in ask("sqs", "AmazonSQS.ReceiveMessage", asked).get("Messages") or []]


def as_emulated(message):
    known = message.get("Attributes") or {}
    return {
        "id": message["MessageId"],
        "receipt_handle": message["ReceiptHandle"],
        "body": message["Body"],
        "sent_at": int(known.get("SentTimestamp", 0)) / 1000,
        "receive_count": int(known.get("ApproximateReceiveCount", 1)),
        "first_receive_at": int(known.get("ApproximateFirstReceiveTimestamp", 0)) / 1000 or None,
        "group_id": known.get("MessageGroupId"),
        "md5_body": message.get("MD5OfBody"),
        "message_attributes": message.get("MessageAttributes") or {},
    }


def delete(url, handles):
    for handle in handles:
        post_json("sqs", "AmazonSQS.DeleteMessage", json.dumps({"QueueUrl": url, "ReceiptHandle": handle}).encode())


def wake():
    """The emulator looks for messages again when a queue of its own has some. It cannot see those of another."""
    while True:
        time.sleep(0.15)
        esm_wake.set()
