import * as v from 'valibot';
import { defined } from '../defined.ts';

/** A field that an answer can do without: undefined where it is missing, null or not as expected. */
export const maybe = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);

export const text = maybe(v.string());

/** Some vendors number their errors. */
export const code = maybe(v.pipe(v.union([v.string(), v.number()]), v.transform(String)));

export const nonEmpty = v.pipe(v.string(), v.nonEmpty());

export const percent = maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(100)));

/** An error in the words of a vendor, safe to show to the caller. */
export interface UpstreamError {
  readonly message?: string;
  readonly code?: string;
}

const detailed = v.pipe(
  v.object({ message: text, msg: text, code, status: code, type: code }),
  v.transform(({ message, msg, code, status, type }) => made(message ?? msg, code ?? status ?? type)),
);
const spoken = v.pipe(
  v.string(),
  v.transform((message) => made(message, undefined)),
);
const described = v.union([spoken, detailed]);

/** Where vendors put an error: in `{error}`, `{detail}`, `{detail: [..]}` or `{base_resp}`, or at the top. */
const bodySchema = v.union([
  v.pipe(
    v.object({ base_resp: v.object({ status_code: code, status_msg: text }) }),
    v.transform(({ base_resp }) => made(base_resp.status_msg, base_resp.status_code)),
  ),
  v.pipe(
    v.object({ error: described }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ detail: v.union([spoken, v.looseTuple([described])]) }),
    v.transform(({ detail }) => (Array.isArray(detail) ? detail[0] : detail)),
  ),
  detailed,
]);

const made = (message: string | undefined, code: string | undefined): UpstreamError =>
  defined({ message, code });

/** @param hide cuts what only the caller of this knows to be secret */
export function readUpstreamError(body: unknown, hide?: Hide): UpstreamError {
  const parsed = v.safeParse(bodySchema, body);
  if (!parsed.success) return {};
  const { message, code } = parsed.output;
  return made(message && presentable(message, hide), code && presentable(code, hide));
}

type Hide = (text: string) => string;

/** Vendors repeat the key that they refuse: as it is, in other case, or escaped for an address. */
export const hiding =
  (secret: string): Hide =>
  (text) => {
    if (secret === '') return text;
    return [secret, encodeURIComponent(secret)].map(lowered).reduce(without, text);
  };

/** A key is ASCII. Only its letters change, so every character stays where it is. */
const lowered = (text: string): string => text.replaceAll(/[A-Z]/g, (each) => each.toLowerCase());

function without(text: string, form: string): string {
  let at = 0;
  const rest = lowered(text)
    .split(form)
    .map(({ length }) => {
      const part = text.slice(at, at + length);
      at += length + form.length;
      return part;
    });
  return rest.join('[redacted]');
}

const LONGEST_MESSAGE = 300;

/** The part of a message that is read. It may have a mebibyte, and the rest would not be shown. */
const LONGEST_READ = 4 * 1024;

/** Addresses may carry signatures, AWS names roles and accounts, and vendors repeat parts of the key they refuse. */
const ADDRESS = /\bhttps?:\/\/[^\s"']+/gi;
const SECRETS = /\barn:aws[\w-]*:[^\s"']+|\bbearer\s+\S+/gi;
const LONG_WORD = /[\w-]{24,}/g;

/**
 * Makes one short line without a credential, an address's query, or characters that move a terminal's cursor or turn
 * text around.
 */
export function presentable(message: string, hide: Hide = (text) => text): string {
  const line = beginning(hide(message.replace(/\p{Bidi_Control}/gu, '')))
    .replace(ADDRESS, (address) => address.replace(/\?.*/s, '?[redacted]'))
    .replace(SECRETS, '[redacted]')
    .replace(LONG_WORD, (word) => (/\d/.test(word) ? '[redacted]' : word))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  // A table takes whole characters alone.
  return (line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line).toWellFormed();
}

/** Drops the last, cut word: half a key would not look like one. */
function beginning(message: string): string {
  if (message.length <= LONGEST_READ) return message;
  let end = LONGEST_READ;
  while (end > 0 && /[\w-]/.test(message[end - 1] ?? '')) end--;
  return `${message.slice(0, end)}[redacted]`;
}
