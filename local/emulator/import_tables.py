"""Lets CloudFormation import tables of the type that CDK creates, as AWS does.

The emulator only imports AWS::DynamoDB::Table, but handles tables of the newer type in the same way.
"""

from ministack.services.cloudformation import provisioners


def import_tables():
    handlers = provisioners._RESOURCE_HANDLERS
    handlers["AWS::DynamoDB::GlobalTable"].setdefault("import", handlers["AWS::DynamoDB::Table"]["import"])
