"""Keeps what is known of the resources of a nested stack through its update, as AWS does.

The emulator forgets the attributes of each resource there that has not changed, and so cannot answer for them.
"""

from ministack.services.cloudformation import _stacks, provisioners


def keep_attributes():
    update = provisioners._update_resource

    def update_keeping(kind, physical_id, old, new, stack, logical_id=None, attributes=None):
        if attributes is None:
            known = (_stacks.get(stack) or {}).get("_resources", {}).get(logical_id, {})
            attributes = known.get("Attributes")
        return update(kind, physical_id, old, new, stack, logical_id, attributes)

    provisioners._update_resource = update_keeping
