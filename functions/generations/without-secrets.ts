import { redactText } from '../redaction.ts';

/** Names of what settings for a provider must not hold, and sometimes do. */
const SECRET_NAME = /(?:key|token|secret|password|authorization|credential|signature)s?$|callback|webhook/i;
const CUT = '…';

/** Settings as a caller sent them: texts with such a name are cut out, and in others what looks like a secret. */
export function withoutSecrets(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'string' && SECRET_NAME.test(name) ? CUT : cleaned(value),
    ]),
  );
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value === 'object' && value !== null) return withoutSecrets({ ...value });
  return value;
}
