import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

type Headers = Record<string, string | string[] | undefined>;

interface WebhookEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly workspace_id: string; readonly [field: string]: unknown };
}

/**
 * The event in a delivery. Throws unless one of the deployment's keys signed it within five minutes of now, for
 * your workspace: everybody in the deployment can have events of their own sent to your address.
 * `jwks` is what the deployment answers at /.well-known/webhooks/jwks.json; keep it for an hour.
 */
export function verifyWebhookEd25519(
  rawBody: Uint8Array,
  headers: Headers,
  jwks: { readonly keys: readonly JsonWebKey[] },
  workspaceId: string,
  now = new Date(),
): WebhookEvent {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  );
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp || Number.NaN);
  if (!(Math.abs(age) <= 300)) throw new Error('webhook-timestamp is missing, too old or too new');

  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]);
  const given = (signatures ?? '').split(' ').filter((signature) => signature.startsWith('v1a,'));
  const isSigned = jwks.keys.some((jwk) => {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return given.some((each) => verify(null, content, key, Buffer.from(each.slice('v1a,'.length), 'base64')));
  });
  if (!isSigned) throw new Error('webhook-signature fits none of the keys');

  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(rawBody));
  if (event.data.workspace_id !== workspaceId) throw new Error('the event is about another workspace');
  return event;
}
