import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { answeringWithin } from './time-limits.ts';

const secrets = /* @__PURE__ */ new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: /* @__PURE__ */ answeringWithin(3_000),
});

/** The current value of a secret. */
export async function readSecret(SecretId: string): Promise<string> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  return SecretString;
}
