const integer = { type: 'integer' } as const;
const string = { type: 'string' } as const;

/** The headers of answers that callers can use. */
export const HEADERS = {
  'x-request-id': {
    description: 'Names this request in our log: the `x-request-id` that you sent, or ours.',
    schema: string,
  },
  'x-ratelimit-limit': {
    description: 'Requests of this kind that the key may make a minute.',
    schema: integer,
  },
  'x-ratelimit-remaining': { description: 'How many of them are left now.', schema: integer },
  'x-ratelimit-reset': { description: 'When all of them are there again, in Unix seconds.', schema: integer },
  'retry-after': { description: 'Seconds after which another try is worth it.', schema: integer },
  'www-authenticate': { description: 'How to authenticate: `Bearer`.', schema: string },
  'idempotent-replayed': {
    description: '`true` where this is the first answer to the same `Idempotency-Key`, given again.',
    schema: { type: 'string', enum: ['true'] },
  },
  location: { description: 'Where to find it.', schema: { type: 'string', format: 'uri-reference' } },
  'x-genway-warning': {
    description:
      'What you should know although the request was accepted, such as a field or a query parameter that nothing knows.',
    schema: string,
  },
  'x-storage-used': {
    description: 'Bytes that all files of the workspace take. Only on the first page, and without `purpose`.',
    schema: integer,
  },
  'x-storage-limit': { description: 'Bytes that the workspace may store.', schema: integer },
  'preference-applied': { description: 'The wait that was granted: `wait=20`.', schema: string },
  'cache-control': { description: 'For how long it may be kept.', schema: string },
  'x-checksum-crc32': {
    description: 'The CRC-32 of the file in base64, to compare a download with.',
    schema: string,
  },
  'x-checksum-sha256': {
    description: 'The SHA-256 of the file in base64, where its upload said what it must be.',
    schema: string,
  },
  'content-disposition': { description: 'That it is for saving.', schema: string },
} as const;

export type HeaderName = keyof typeof HEADERS;

/** The name of a header among the document's components. */
export const headerComponent = (name: string): string =>
  name.replaceAll(/(^|-)(\w)/g, (_, _hyphen, letter: string) => letter.toUpperCase());

/** References to headers, as an answer of the document holds them. */
export const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${headerComponent(name)}` }]),
  );
