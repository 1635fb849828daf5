"""Rows are DynamoDB Local's. Its tables are those that the emulator knows, with their indexes, expiry and streams."""

import json
import re
import threading
import time
import zlib

from ministack.core.concurrency import esm_wake
from ministack.services import dynamodb as emulated

from .engine import ACCOUNT, REGION, Once, ask, in_thread, note, post_json

OPERATIONS = {
    "PutItem", "GetItem", "DeleteItem", "UpdateItem", "Query", "Scan", "BatchWriteItem", "BatchGetItem",
    "TransactWriteItems", "TransactGetItems",
}
API, STREAMS = "DynamoDB_20120810", "DynamoDBStreams_20120810"


def take_over():
    own = emulated.handle_request

    async def handle(method, path, headers, body, query):
        target = headers.get("x-amz-target", "")
        operation = target.split(".")[-1]
        if operation in ("DeleteTable", "RestoreTableToPointInTime"):
            request = json.loads(body)
            told = await own(method, path, headers, body, query)
            if told[0] == 200:
                await in_thread(delete_table if operation == "DeleteTable" else copy_rows, request)
            return told
        if operation not in OPERATIONS:
            return await own(method, path, headers, body, query)

        def forward():
            for name in tables_of(operation, json.loads(body)):
                create_table(name)
            return post_json("dynamodb", target, body)

        status, _, answer = await in_thread(forward)
        kept = {"Content-Type": "application/x-amz-json-1.0", "x-amz-crc32": str(zlib.crc32(answer))}
        return status, kept, answer

    emulated.handle_request = handle


def tables_of(operation, request):
    if operation.startswith("Batch"):
        return list(request["RequestItems"])
    if operation.startswith("Transact"):
        return [asked["TableName"] for item in request["TransactItems"] for asked in item.values()]
    return [request["TableName"]]


def make_table(name):
    table = emulated._tables.get(name)
    if table is None:
        return False
    definition = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": table["KeySchema"],
        "AttributeDefinitions": table["AttributeDefinitions"],
    }
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        if indexes := table.get(kind):
            definition[kind] = [{part: each[part] for part in ("IndexName", "KeySchema", "Projection")} for each in indexes]
    stream = table.get("StreamSpecification") or {}
    if stream.get("StreamEnabled"):
        definition["StreamSpecification"] = {part: stream[part] for part in ("StreamEnabled", "StreamViewType")}
    made = ask("dynamodb", f"{API}.CreateTable", definition)["TableDescription"]
    if (expiry := emulated._ttl_settings.get(name, {})).get("TimeToLiveStatus") == "ENABLED":
        wanted = {"AttributeName": expiry["AttributeName"], "Enabled": True}
        ask("dynamodb", f"{API}.UpdateTimeToLive", {"TableName": name, "TimeToLiveSpecification": wanted})
    if "LatestStreamArn" in made:
        threading.Thread(target=follow, args=(name, made["LatestStreamArn"]), daemon=True).start()
    return True


create_table = Once(make_table)


def delete_table(request):
    name = request["TableName"].rsplit("/", 1)[-1]
    if name in create_table.made:
        create_table.forget(name)
        ask("dynamodb", f"{API}.DeleteTable", {"TableName": name})


def copy_rows(request):
    """As the emulator restores, whatever the time: the rows of now, under another name."""
    source = request.get("SourceTableName") or request["SourceTableArn"].rsplit("/", 1)[-1]
    target = request["TargetTableName"]
    for name in (source, target):
        create_table(name)
    page = {"LastEvaluatedKey": None}
    while "LastEvaluatedKey" in page:
        start = page["LastEvaluatedKey"] and {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        page = ask("dynamodb", f"{API}.Scan", {"TableName": source, "ConsistentRead": True, **(start or {})})
        for item in page["Items"]:
            ask("dynamodb", f"{API}.PutItem", {"TableName": target, "Item": item})


def follow(name, stream):
    """Hands the stream's records to the emulator, which calls the functions that read the stream."""
    shards = {}
    while True:
        try:
            described = ask("dynamodb", f"{STREAMS}.DescribeStream", {"StreamArn": stream})
            for shard in described["StreamDescription"]["Shards"]:
                shards.setdefault(shard["ShardId"], Shard(stream, shard["ShardId"]))
            for shard in shards.values():
                if records := shard.read():
                    hand_over(name, records)
        except Exception as error:  # noqa: BLE001
            note("dynamodb", "follow-stream", 500, type(error).__name__)
            time.sleep(1)
        time.sleep(0.2)


def hand_over(name, records):
    table = emulated._tables.get_scoped(ACCOUNT, REGION, name)
    told = emulated._stream_records.get_scoped(ACCOUNT, REGION, name)
    if told is None:
        told = []
        emulated._stream_records.set_scoped(ACCOUNT, REGION, name, told)
    told.extend({**each, "awsRegion": REGION, "eventSourceARN": table["LatestStreamArn"]} for each in records)
    esm_wake.set()


class Shard:
    def __init__(self, stream, id_):
        self.place = {"StreamArn": stream, "ShardId": id_, "ShardIteratorType": "TRIM_HORIZON"}
        self.begin()
        self.last = -1

    def begin(self):
        self.iterator = ask("dynamodb", f"{STREAMS}.GetShardIterator", self.place)["ShardIterator"]

    def read(self):
        """The records since the last call."""
        if self.iterator is None:
            return []
        try:
            page = ask("dynamodb", f"{STREAMS}.GetRecords", {"ShardIterator": self.iterator, "Limit": 1000})
        except RuntimeError as error:
            # An iterator that DynamoDB Local gave for an empty shard breaks with the shard's first record.
            if not re.search("TrimmedData|ExpiredIterator", str(error)):
                raise
            self.begin()
            return []
        self.iterator = page.get("NextShardIterator")
        place = lambda record: int(record["dynamodb"]["SequenceNumber"])
        fresh = [record for record in page["Records"] if place(record) > self.last]
        self.last = max([self.last, *map(place, fresh)])
        return fresh
