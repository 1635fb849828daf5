"""Makes the credentials of functions' roles secret.

The emulator derives them, including the secret key, by SHA-256 from the names of the function and its role. Everybody
can find out those names, and so could sign as any function.
"""

import secrets

from ministack.core import lambda_runtime


def hide_role_keys():
    """Call this before the emulator's services are loaded, because some keep a reference to the replaced function."""
    derive = lambda_runtime.execution_credentials
    salt = secrets.token_hex(32)

    def salted(config):
        return derive({**config, "FunctionArn": f"{config['FunctionArn']}:{salt}"})

    lambda_runtime.execution_credentials = salted
