import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { kmsDerivation } from '../../aws/derive-bytes.ts';
import { kms } from '../../aws/kms.ts';
import { onceAllowed } from '../../aws/retry.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { publicLinkKeys } from '../../downloads/link-key.ts';
import { setting } from '../../environment.ts';
import { edgeSecret } from '../../gate/entrance.ts';
import { log } from '../../telemetry/logger.ts';
import { deploymentKey, keySet } from '../../webhooks/signature.ts';
import { customResource } from './custom-resource.ts';

const derive = kmsDerivation(kms, setting('signingKeyId'));
const downloadsKeyId = setting('downloadsKeyId', v.optional(v.string()));
const deriveLinkKey = downloadsKeyId === undefined ? undefined : kmsDerivation(kms, downloadsKeyId);

/** CloudFormation sends numbers as text. */
const propertiesSchema = v.object({
  EdgeSecretGeneration: v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1)),
});

/**
 * Derives, during a deployment, values that other programs get once and for all. So neither the edge nor the public
 * endpoint with the webhooks' public key needs the key from which all secrets are derived.
 */
export const handler = customResource(
  async (properties) => {
    const { EdgeSecretGeneration } = v.parse(propertiesSchema, properties);
    // The right to derive may be of the same deployment. What is derived already is not derived again.
    return onceAllowed(() => valuesOf(EdgeSecretGeneration), pause);
  },
  { fetch: deployedEgress(10_000), log },
);

async function valuesOf(generation: number): Promise<Record<string, string>> {
  const secret = await edgeSecret(derive, generation);
  return {
    WebhookKeys: JSON.stringify(keySet(await deploymentKey(derive))),
    EdgeSecret: secret.text,
    EdgeSecretSha256: secret.sha256.join(),
    ...(deriveLinkKey && (await publicLinkKeys(deriveLinkKey, generation))),
  };
}
