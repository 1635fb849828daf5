"""Lets CloudFormation import tables of the type that CDK makes, as AWS does.

The emulator imports AWS::DynamoDB::Table alone, and keeps a table of the newer type as the same thing.
"""

from ministack.services.cloudformation import provisioners


def import_tables():
    handlers = provisioners._RESOURCE_HANDLERS
    handlers["AWS::DynamoDB::GlobalTable"].setdefault("import", handlers["AWS::DynamoDB::Table"]["import"])
