import * as v from 'valibot';
import { jsonObject } from '../http/validation.ts';

/** Shown in place of every header's value. */
export const MASK = '********';

/** Headers that the request itself sets. */
const RESERVED: readonly string[] = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-request-id',
];

const NAME_RULE = 'must have an HTTP token of at most 64 characters as its name, such as x-api-key';
const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, NAME_RULE),
  v.check((name) => !RESERVED.includes(name.toLowerCase()), `must not be one of ${RESERVED.join(', ')}`),
);

const VALUE_RULE = 'must be 1 to 2048 visible ASCII characters; spaces may only be between them';
const headerValue = v.pipe(
  v.string(VALUE_RULE),
  v.maxLength(2048, VALUE_RULE),
  v.regex(/^[!-~]+(?: +[!-~]+)*$/, VALUE_RULE),
  v.notValue(MASK, 'must be the value itself: this is what is shown in its place'),
);

/** KMS encrypts up to 4 KiB in one call. */
const LONGEST_HEADERS = 4096;

const headersSchema = v.pipe(
  jsonObject(
    v.pipe(
      v.record(headerName, headerValue),
      v.maxEntries(20, 'must be at most 20'),
      v.description('Headers to send with each trace. Stored encrypted'),
    ),
  ),
  v.check(
    (headers) =>
      new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    'must not name a header twice',
  ),
  v.check(
    // JSON writes a control character in six bytes, so text that is too long anyway is not written.
    (headers) =>
      Object.entries(headers).flat().join('').length <= LONGEST_HEADERS &&
      Buffer.byteLength(JSON.stringify(headers)) <= LONGEST_HEADERS,
    `must be at most ${LONGEST_HEADERS} bytes together, as JSON`,
  ),
  v.transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  ),
);
export type TraceHeaders = Readonly<v.InferOutput<typeof headersSchema>>;

/** The body of `PUT /workspaces/{id}/broadcast`. It replaces the destination. */
export const destinationSchema = v.object({
  url: v.pipe(
    v.string('must be an https URL'),
    v.metadata({ format: 'uri' }),
    v.description('The https URL to send traces to, unchanged. Most receivers expect a path of `/v1/traces`'),
  ),
  headers: v.optional(headersSchema, {}),
});

export const storedDestinationSchema = v.object({
  workspace_id: v.string(),
  url: v.string(),
  header_names: v.array(v.string()),
  /** In Base64, encrypted by KMS for this workspace alone. Absent where there are no headers. */
  ciphertext: v.exactOptional(v.string()),
  updated_at: v.string(),
});
/** Where the traces of a workspace go. */
export type StoredDestination = Readonly<v.InferOutput<typeof storedDestinationSchema>>;
