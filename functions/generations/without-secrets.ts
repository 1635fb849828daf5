import { redactText } from '../redaction.ts';

/** Names of what settings for a provider must not hold, and sometimes do. */
const SECRET_NAME = /(?:key|token|secret|password|authorization|credential|signature)s?$|callback|webhook/i;
const CUT = '…';

/**
 * Settings as a caller sent them: every text within what has such a name is cut out, and in others what looks like a
 * secret.
 */
export function withoutSecrets(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return without(settings, redactText);
}

function without(
  settings: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      cleaned(value, SECRET_NAME.test(name) ? () => CUT : clean),
    ]),
  );
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, clean));
  if (typeof value === 'object' && value !== null) return without({ ...value }, clean);
  return value;
}
