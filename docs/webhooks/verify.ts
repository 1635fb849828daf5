import { createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Record<string, string | string[] | undefined>;

/**
 * The event in a delivery. Throws unless it was signed with one of the secrets within five minutes of now.
 * `rawBody` is the body as it arrived: JSON that was parsed and written again has another signature.
 */
export function verifyWebhook(
  rawBody: Uint8Array,
  headers: Headers,
  secrets: readonly string[],
  now = new Date(),
): unknown {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  );
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp || Number.NaN);
  if (!(Math.abs(age) <= 300)) throw new Error('webhook-timestamp is missing, too old or too new');

  const given = (signatures ?? '').split(' ').map((signature) => Buffer.from(signature));
  const isSigned = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    if (key.length < 24) throw new Error('A webhook secret is too short; it begins with whsec_');
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
    const expected = Buffer.from(`v1,${digest}`);
    return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
  if (!isSigned) throw new Error('webhook-signature fits none of the secrets');
  return JSON.parse(new TextDecoder().decode(rawBody));
}
