import { createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto';
import * as v from 'valibot';

/** One submit of a job, at one provider. */
const submitSchema = v.object({ job: v.string(), submit: v.number(), provider: v.string() });
export type CalledSubmit = Readonly<v.InferOutput<typeof submitSchema>>;

const TOKEN = /^([\w-]{1,400})\.([\w-]{86})$/;

/** The same key signs webhooks, whose content begins with the id of an event, `msg_`. */
const signed = (content: string) => Buffer.from(`callback.${content}`);

/**
 * The end of a callback's address. It says which submit it is for, so that nothing is stored for it, and the
 * deployment's key signs it, so that a wrong one is refused without a read.
 */
export function callbackToken(submit: CalledSubmit, key: KeyObject): string {
  const content = Buffer.from(JSON.stringify(submit)).toString('base64url');
  return `${content}.${sign(null, signed(content), key).toString('base64url')}`;
}

/** Undefined for a token that this deployment has not made. */
export function readCallbackToken(
  token: string,
  { keys }: { readonly keys: readonly JsonWebKey[] },
): CalledSubmit | undefined {
  const [, content = '', signature = ''] = TOKEN.exec(token) ?? [];
  // A malformed token takes as long as a wrong one.
  const given = Buffer.from(signature.padEnd(86, 'A'), 'base64url');
  const isOurs = keys.map((jwk) =>
    verify(null, signed(content), createPublicKey({ key: jwk, format: 'jwk' }), given),
  );
  return isOurs.includes(true) ? v.parse(submitSchema, JSON.parse(decoded(content))) : undefined;
}

const decoded = (content: string) => Buffer.from(content, 'base64url').toString();
