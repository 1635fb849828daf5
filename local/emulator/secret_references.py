"""Lets a template's reference to a secret be the secret's ARN, as AWS does.

The emulator gives its name, which a policy does not take for the secret.
"""

from ministack.services.cloudformation import provisioners


def refer_by_arn():
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
