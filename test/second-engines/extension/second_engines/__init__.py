"""Puts other engines behind the emulator's endpoint: DynamoDB Local, an S3 server and an SQS server.

Callers notice nothing: address, keys and requests stay as they are. The emulator checks each request's signature and the
rights of its role, as always. Then the request goes to the engine, unchanged. Stacks, and all that is not about rows,
objects or messages, stay with the emulator; an engine gets a table, bucket or queue when it is first used.

Only the first emulator of a run has the engines. Some tests start another, and tables of two stages have the same names.

The run that starts the emulator says in GENWAY_SECOND_ENGINES where the engines are.
"""

from . import dynamodb, s3, sqs
from .engine import are_free


def extend(emulator):
    if not are_free():
        return emulator
    for engine in (dynamodb, s3, sqs):
        engine.take_over()

    async def extended(scope, receive, send):
        s3.asked.set(scope)
        await emulator(scope, receive, send)

    return extended
