type Pattern = readonly [RegExp, string];

/** Patterns of what can only be a key. */
const KEYS: readonly Pattern[] = [
  [/\b((?:[sm]k|cs)-gw-v1-)[0-9A-Za-z]{8,}/g, '$1…'],
  [/\bwhsec_[0-9A-Za-z+/=]{8,}/g, 'whsec_…'],
  // Keys of most providers, and of those that write an id and a secret.
  [/\b(sk-)[0-9A-Za-z_-]{16,}/g, '$1…'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{16,}/g, '…'],
];

/**
 * The last net under the log: whatever looks like a secret is cut out of every line. Nothing should get this far; it
 * catches the error of a library that quotes its input.
 */
const SECRETS: readonly Pattern[] = [
  [/\b(bearer|basic) +[!-~]{8,}/gi, '$1 …'],
  ...KEYS,
  [/([?&](?:x-amz-(?:signature|credential|security-token)|signature|token|key|secret)=)[^&\s"']+/gi, '$1…'],
];
/** valibot's own messages end with the wrong value. */
const RECEIVED = / but received .*$/s;

const cut = (text: string, patterns: readonly Pattern[]): string =>
  patterns.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);

export const redactText = (text: string): string => cut(text, SECRETS);

/** For text that people wrote, where an ordinary word may look like a secret. */
export const redactKeys = (text: string): string => cut(text, KEYS);

/** What an error says, in a form that may be shown outside the log. */
export const reasonOf = ({ name, message }: Error): string =>
  redactText(`${name}: ${message.replace(RECEIVED, '')}`);

/** A replacer for `JSON.stringify`, which calls it with the result of `toJSON` and goes on into what it returns. */
export function redact(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  return isValidationFailure(value) ? withoutValues(value) : value;
}

interface ValidationFailure {
  readonly name: 'ValiError';
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly issues?: unknown;
}

function isValidationFailure(value: unknown): value is ValidationFailure {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === 'ValiError';
}

/**
 * The issues quote everything that was validated, such as a whole row. The message says which rule was broken. Message
 * and stack are read by name, because a thrown error's are not enumerable.
 */
function withoutValues(failure: ValidationFailure) {
  const { issues: _, ...fields } = failure;
  const message = String(failure.message);
  const rule = message.replace(RECEIVED, '');
  return { ...fields, message: rule, stack: String(failure.stack).replace(message, () => rule) };
}
