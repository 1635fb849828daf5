import { createHash, createHmac, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { deploymentKey, keySet } from '../../functions/webhooks/signature.ts';
import type { StageConfig } from '../../lib/stage/config.ts';
import type { EdgeDecision } from './edge.ts';

const BODY = '{"status":"OK"}';
/** The sandbox works an hour at most (`sandbox-behaviour.ts`). */
const LONGEST_SECONDS = 3700;

/** The key with which the sandbox of this run signs. It follows from what is kept, because a new one would redeploy functions. */
export const sandboxKey = (secret: string): Promise<KeyObject> =>
  deploymentKey(async (name) => createHmac('sha256', secret).update(`sandbox ${name}`).digest());

/** What a stage must know of it: where it is, and how it signs. */
export const sandboxSettings = (edge: string, key: KeyObject) => ({
  base_url: edge,
  callback_keys: keySet(key).keys.map(({ x }) => x),
});

/** The providers that a stage offers, of which the sandbox is this one. */
export const withSandboxCalls = (
  { providers, models }: StageConfig['videos'],
  edge: string,
  key: KeyObject,
): StageConfig['videos'] => ({
  providers: {
    ...providers,
    ...(providers.sandbox && { sandbox: { ...providers.sandbox, ...sandboxSettings(edge, key) } }),
  },
  models,
});

/**
 * The sandbox on this machine: when the work of a submit has ended, it calls the stage as fal does. Calls that are due
 * after the end of the run get lost.
 */
export function sandboxCalls(
  edge: string,
  key: KeyObject,
): (request: IncomingMessage) => EdgeDecision | undefined {
  const schema = v.object({
    // Whoever asks cannot have it call anybody else.
    url: v.pipe(v.string(), v.startsWith(`${edge}/api/v1/callbacks/`)),
    seconds: v.pipe(v.string(), v.toNumber(), v.minValue(0), v.maxValue(LONGEST_SECONDS)),
  });
  return ({ method, url = '' }) => {
    const { pathname, searchParams } = new URL(url, edge);
    if (method !== 'POST' || pathname !== '/sandbox-calls') return undefined;
    const asked = v.safeParse(schema, Object.fromEntries(searchParams));
    if (asked.success) callLater(asked.output, key);
    return { answer: { status: asked.success ? 202 : 400, headers: {}, body: '' } };
  };
}

function callLater({ url, seconds }: { url: string; seconds: number }, key: KeyObject): void {
  const call = () => fetch(url, { method: 'POST', headers: signed(key), body: BODY }).catch(() => undefined);
  setTimeout(call, seconds * 1000).unref();
}

/** As fal signs ("Webhooks"): the ids, the time and the body's SHA-256, a line each. */
function signed(key: KeyObject): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const content = ['sandbox', 'sandbox', timestamp, createHash('sha256').update(BODY).digest('hex')].join(
    '\n',
  );
  return {
    'content-type': 'application/json',
    'x-fal-webhook-request-id': 'sandbox',
    'x-fal-webhook-user-id': 'sandbox',
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, Buffer.from(content), key).toString('hex'),
  };
}
