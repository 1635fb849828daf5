"""Makes the credentials of functions' roles secret.

The emulator derives them, secret key and all, by SHA-256 from the names of the function and its role. Everybody can
work out those names, and so could sign as any function.
"""

import secrets

from ministack.core import lambda_runtime


def hide_role_keys():
    """To be called before the emulator's services are loaded, some of which keep the function that this replaces."""
    derive = lambda_runtime.execution_credentials
    salt = secrets.token_hex(32)

    def salted(config):
        return derive({**config, "FunctionArn": f"{config['FunctionArn']}:{salt}"})

    lambda_runtime.execution_credentials = salted
