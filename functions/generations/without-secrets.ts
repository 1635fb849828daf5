import { isObject } from '../http/json-body.ts';
import { redactKeys, redactText } from '../redaction.ts';

/** Names of secrets. Settings for a provider must not hold any, and sometimes do. */
const SECRET_NAME = /(?:key|token|secret|password|authorization|credential|signature)s?$|callback|webhook/i;
const CUT = '…';

/** Media within an address; its media type contains no colon. */
const INLINE_MEDIA = /(\bdata:[^,\s:]*;base64,)[A-Za-z0-9+/_=%-]+/gi;
const withoutBytes = (text: string): string => text.replace(INLINE_MEDIA, `$1${CUT}`);

/** A prompt as it was sent, without keys and media that were pasted into it. */
export const promptToLog = (prompt: string): string => withoutBytes(redactKeys(prompt));

/**
 * Settings as a caller sent them. Texts under the name of a secret are cut out; of other texts, whatever looks like a
 * secret, and media.
 */
export const withoutSecrets = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) ? withTexts(value, () => CUT) : cleaned(value),
    ]),
  );

function cleaned(value: unknown): unknown {
  if (isObject(value)) return withoutSecrets(value);
  return Array.isArray(value)
    ? value.map(cleaned)
    : withTexts(value, (text) => withoutBytes(redactText(text)));
}

/** Changes all texts of a value, at any depth. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]));
}
