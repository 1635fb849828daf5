import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import * as v from 'valibot';
import type { DeriveBytes } from '../aws/derive-bytes.ts';
import type { WireNames } from '../http/compatibility.ts';
import type { WebhookEvent } from './events/event.ts';
import { signingAt } from './settings/retiring-secrets.ts';
import type { WebhookSettings } from './settings/webhook-settings.ts';

/** Makes the headers by which a receiver recognises an event as ours; the time is in Unix seconds. */
export type SignDelivery = (event: WebhookEvent, timestamp: number) => Record<string, string>;

/** Signs with a workspace's secrets, newest first, and with the key of the deployment. */
export async function deliverySigner(
  secrets: readonly Uint8Array[],
  derive: DeriveBytes,
  wireNames: WireNames,
): Promise<SignDelivery> {
  const key = await deploymentKey(derive);
  const [newest] = secrets;
  return (event, timestamp) => ({
    ...signatureHeaders({ id: event.webhook_id ?? event.id, timestamp, body: event.body }, secrets, key),
    ...(wireNames === 'openrouter' && newest !== undefined
      ? openRouterHeaders(event, timestamp, newest)
      : {}),
  });
}

export interface SignedContent {
  /** The same for every attempt of one event. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  /** Exactly the text that is sent. */
  readonly body: string;
}

/**
 * The headers of the Standard Webhooks specification. All signatures are over `id.timestamp.body`: an HMAC-SHA-256 for
 * each current secret, so that receivers can verify with any of them during a rotation, and an Ed25519 signature with
 * the deployment's key. That comes last, because many receivers know only the first kind, and skip what they do not know.
 */
export function signatureHeaders(
  { id, timestamp, body }: SignedContent,
  secrets: readonly Uint8Array[],
  ed25519?: KeyObject,
): Record<string, string> {
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
  );
  if (ed25519 !== undefined) signatures.push(`v1a,${sign(null, content, ed25519).toString('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * The header that receivers made for OpenRouter expect, beside our own: `t=<unix s>,v1=<hex>`. The HMAC is over `<unix
 * s>,<body>`, and its key is the secret's text with its prefix. There is room for one signature, so during a rotation
 * only the new secret makes it. The new end of a released job may have the status of its old end, so its key is made
 * from its own id.
 */
function openRouterHeaders(
  { id, job_id: jobId = id, webhook_id: about = jobId, type, body }: WebhookEvent,
  timestamp: number,
  secret: Uint8Array,
): Record<string, string> {
  const digest = createHmac('sha256', encodeSecret(secret)).update(`${timestamp},${body}`).digest('hex');
  return {
    'x-openrouter-signature': `t=${timestamp},v1=${digest}`,
    'x-openrouter-idempotency-key': `${about}-${type.slice(type.lastIndexOf('.') + 1)}`,
  };
}

/** The workspace's secrets that sign now, newest first. */
export interface SigningSecrets {
  secret(workspaceId: string, version: number): Promise<Uint8Array>;
  active(workspaceId: string, settings: WebhookSettings, now: Date): Promise<Uint8Array[]>;
}

/** Secrets that are stored nowhere: each is derived from its workspace and version. */
export function derivedSecrets(derive: DeriveBytes): SigningSecrets {
  const secret = (workspaceId: string, version: number) => derive(`webhook-secret/${workspaceId}/${version}`);
  return {
    secret,
    active(workspaceId, { secret_version: newest, retiring_secrets: retiring }, now) {
      const versions = [newest, ...signingAt(now, retiring).map(({ version }) => version)];
      return Promise.all(versions.map((each) => secret(workspaceId, each)));
    },
  };
}

/** `whsec_` and standard base64. Without the prefix some receivers would use the text itself as the key. */
export const encodeSecret = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;

/** A later version would be another key pair; receivers accept any key that is published. */
const DEPLOYMENT_KEY = 'webhook-ed25519/1';

/** The bytes of PKCS #8 before the 32 bytes of an Ed25519 private key (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 private key of the deployment, which signs every delivery beside its workspace's secrets. */
export async function deploymentKey(derive: DeriveBytes): Promise<KeyObject> {
  const key = Buffer.concat([PKCS8_PREFIX, await derive(DEPLOYMENT_KEY)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The key set as the API shows it. */
export const keySetSchema = v.object({
  keys: v.array(
    v.object({
      crv: v.literal('Ed25519'),
      kty: v.literal('OKP'),
      x: v.string(),
      kid: v.string(),
      use: v.literal('sig'),
      alg: v.literal('EdDSA'),
    }),
  ),
});

const publicJwkSchema = v.object({ x: v.string() });

/** The public half of a key as a JSON Web Key Set (RFC 7517, RFC 8037), named by its thumbprint (RFC 7638). */
export function keySet(privateKey: KeyObject): v.InferOutput<typeof keySetSchema> {
  const { x } = v.parse(publicJwkSchema, createPublicKey(privateKey).export({ format: 'jwk' }));
  // The members that the thumbprint covers, in the required order.
  const named = { crv: 'Ed25519', kty: 'OKP', x } as const;
  const kid = createHash('sha256').update(JSON.stringify(named)).digest('base64url');
  return { keys: [{ ...named, kid, use: 'sig', alg: 'EdDSA' }] };
}
