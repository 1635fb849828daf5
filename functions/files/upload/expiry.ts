import { invalidField } from '../../http/invalid-field.ts';

const DAY_SECONDS = 86_400;
export const LONGEST_SECONDS = 30 * DAY_SECONDS;
const RULE = `must be a whole number of seconds after the upload, from 1 to ${LONGEST_SECONDS}`;

/** Form fields that say when a file ends: of OpenAI's clients, which write an object so, and of our own. */
export const EXPIRY_FIELDS = [
  'expires_after',
  'expires_after[seconds]',
  'expires_after[anchor]',
  'expires_in_seconds',
] as const;

/** Undefined for a file that ends only when it is deleted. @throws InvalidRequest */
export function expirySeconds(fields: ReadonlyMap<string, string>): number | undefined {
  const anchor = fields.get('expires_after[anchor]') ?? 'created_at';
  if (anchor !== 'created_at') throw invalidField('expires_after.anchor', 'must be created_at');
  const given = EXPIRY_FIELDS.filter((name) => fields.has(name) && name !== 'expires_after[anchor]');
  const [name, ...others] = given;
  if (name === undefined) {
    if (fields.has('expires_after[anchor]')) throw invalidField('expires_after.seconds', 'is required');
    return undefined;
  }
  if (others.length > 0) throw invalidField(name, `must not be given beside ${others.join(', ')}`);
  const text = fields.get(name) ?? '';
  const seconds = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= LONGEST_SECONDS)) throw invalidField(name, RULE);
  return seconds;
}
