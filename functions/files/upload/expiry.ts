import { invalidField } from '../../http/invalid-field.ts';

const DAY_SECONDS = 86_400;
export const LONGEST_SECONDS = 30 * DAY_SECONDS;
const RULE = `must be a whole number of seconds after the upload, from 1 to ${LONGEST_SECONDS}`;

const ANCHOR = 'expires_after[anchor]';

/** Form fields that say when a file ends: of OpenAI's clients, which write an object so, and of our own. */
export const EXPIRY_FIELDS = [
  'expires_after',
  'expires_after[seconds]',
  ANCHOR,
  'expires_in_seconds',
] as const;

/** Undefined for a file that ends only when it is deleted. @throws InvalidRequest */
export function expirySeconds(fields: ReadonlyMap<string, string>): number | undefined {
  const anchor = fields.get(ANCHOR) ?? 'created_at';
  if (anchor !== 'created_at') throw invalidField('expires_after.anchor', 'must be created_at');
  const [given, ...others] = EXPIRY_FIELDS.flatMap((name) => {
    const text = fields.get(name);
    return text === undefined || name === ANCHOR ? [] : [{ name, text }];
  });
  if (given === undefined) {
    if (fields.has(ANCHOR)) throw invalidField('expires_after.seconds', 'is required');
    return undefined;
  }
  const { name, text } = given;
  if (others.length > 0) {
    throw invalidField(name, `must not be given beside ${others.map((other) => other.name).join(', ')}`);
  }
  const seconds = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= LONGEST_SECONDS)) throw invalidField(name, RULE);
  return seconds;
}
