"""Lets CloudFormation do some things as AWS does them."""

import secrets

from ministack.services import dynamodb
from ministack.services.cloudformation import _stacks, provisioners


def correct_cloudformation():
    import_tables()
    update_tables_in_place()
    expire_rows()
    read_replicas()
    tag_buckets()
    keep_attributes()
    refer_by_arn()
    take_link_keys()


def import_tables():
    """The emulator only imports AWS::DynamoDB::Table. It handles tables of the newer type, which CDK creates, in the same way."""
    handlers = provisioners._RESOURCE_HANDLERS
    handlers["AWS::DynamoDB::GlobalTable"].setdefault("import", handlers["AWS::DynamoDB::Table"]["import"])


def update_tables_in_place():
    """The emulator computes the name of a table of the newer type from its name instead of its logical id. So each update
    would replace it by an empty one."""
    handlers = provisioners._RESOURCE_HANDLERS

    def update(table, old, new, stack, logical_id):
        return handlers["AWS::DynamoDB::Table"]["update"](table, old, new, stack, logical_id)

    handlers["AWS::DynamoDB::GlobalTable"].update({"update": update, "update_with_logical_id": True})


def expire_rows():
    """The emulator leaves out the attribute by which a table's rows expire."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::DynamoDB::GlobalTable"]
    create, update = handlers["create"], handlers["update"]

    def expiring(made, properties):
        if expiry := properties.get("TimeToLiveSpecification"):
            dynamodb._update_ttl({"TableName": made[0], "TimeToLiveSpecification": expiry})
        return made

    handlers["create"] = lambda name, properties, *more: expiring(create(name, properties, *more), properties)
    handlers["update"] = lambda name, old, new, *more: expiring(update(name, old, new, *more), new)


def read_replicas():
    """A table of the newer type has its tags and its protection in its replicas, of which the emulator reads nothing. Ours
    have one each."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::DynamoDB::GlobalTable"]
    create, update = (handlers[step] for step in ("create", "update"))

    def with_replica(props):
        [replica] = props.get("Replicas") or [{}]
        return {**props, **{name: replica[name] for name in ("Tags", "DeletionProtectionEnabled") if name in replica}}

    handlers["create"] = lambda logical_id, props, *given: create(logical_id, with_replica(props), *given)
    handlers["update"] = lambda table, old, new, *given: update(table, with_replica(old), with_replica(new), *given)


def tag_buckets():
    """The emulator leaves out the tags of buckets."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::S3::Bucket"]
    create, update = (handlers[step] for step in ("create", "update"))

    def tagged(made, props):
        provisioners._s3._bucket_tags[made[0]] = {tag["Key"]: tag["Value"] for tag in props.get("Tags", [])}
        return made

    handlers["create"] = lambda logical_id, props, *given: tagged(create(logical_id, props, *given), props)
    handlers["update"] = lambda bucket, old, new, *given: tagged(update(bucket, old, new, *given), new)


def keep_attributes():
    """When a nested stack is updated, the emulator forgets the attributes of each resource in it that has not changed, and
    so cannot answer for them."""
    update = provisioners._update_resource

    def update_keeping(kind, physical_id, old, new, stack, logical_id=None, attributes=None):
        if attributes is None:
            known = (_stacks.get(stack) or {}).get("_resources", {}).get(logical_id, {})
            attributes = known.get("Attributes")
        return update(kind, physical_id, old, new, stack, logical_id, attributes)

    provisioners._update_resource = update_keeping


def refer_by_arn():
    """A template's reference to a secret is its ARN. The emulator gives its name, which a policy does not take for the
    secret."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    create, update, delete = (handlers[step] for step in ("create", "update", "delete"))

    def name_of(reference):
        return provisioners._sm._resolve(reference)[0] or reference

    def by_arn(made):
        _, attributes = made
        return attributes["Arn"], attributes

    handlers["create"] = lambda *given: by_arn(create(*given))
    handlers["update"] = lambda reference, *given: by_arn(update(name_of(reference), *given))
    handlers["delete"] = lambda reference, *given: delete(name_of(reference), *given)


def take_link_keys():
    """The emulator has CloudFront's public keys and key groups, but not as resources of a stack. Nobody checks a link with
    them here, so an id is all that they need."""

    def create(logical_id, props, stack):
        made = "K" + secrets.token_hex(7).upper()
        return made, {"Id": made}

    handlers = provisioners._RESOURCE_HANDLERS
    for kind in ("PublicKey", "KeyGroup"):
        handlers["AWS::CloudFront::" + kind] = {
            "create": create,
            "update": lambda reference, *given: (reference, {"Id": reference}),
            "delete": lambda *given: None,
        }
