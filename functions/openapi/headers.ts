const integer = { type: 'integer' } as const;
const string = { type: 'string' } as const;

/** The headers of answers that callers can use. */
export const HEADERS = {
  'x-request-id': {
    description:
      'ID of the request in the logs of the deployment: the `x-request-id` that you sent, or a new one.',
    schema: string,
  },
  'x-ratelimit-limit': {
    description:
      'Maximum number of requests per minute. Genway counts uploads, submissions, management changes and other requests separately, usually per key. In a 429 about large uploads in progress: how many the workspace may have at once on one upload server.',
    schema: integer,
  },
  'x-ratelimit-remaining': {
    description: 'Number of requests that `x-ratelimit-limit` still allows.',
    schema: integer,
  },
  'x-ratelimit-reset': {
    description:
      'Time at which the full limit is available again, in Unix seconds. In a 429 about large uploads in progress: when to retry.',
    schema: integer,
  },
  'retry-after': { description: 'Seconds to wait before the next request.', schema: integer },
  'www-authenticate': { description: 'The authentication scheme: `Bearer`.', schema: string },
  'idempotent-replayed': {
    description:
      '`true` if this is the original response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  location: {
    description: 'Path of the object, or URL of its content.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'x-genway-warning': {
    description: 'Warnings about the request, for example about an unknown field or query parameter.',
    schema: string,
  },
  'x-storage-used': {
    description:
      'Size of all files of the workspace and of its uploads in progress, in bytes. Sent only with the first page of a list requested without `order=desc`, `purpose`, `ids[]`, `scope_id` or `provider`.',
    schema: integer,
  },
  'x-storage-limit': {
    description: 'Storage quota of the workspace, in bytes. Sent with `x-storage-used`.',
    schema: integer,
  },
  'preference-applied': {
    description: 'The maximum wait that Genway granted, in seconds, such as `wait=20`.',
    schema: string,
  },
  'cache-control': { description: 'How long caches may keep the response.', schema: string },
  'x-checksum-crc32': {
    description:
      'CRC-32 of the file, in base64. Use it to verify a download. Not sent if the request has `provider`, or for files that an older version of Genway stored.',
    schema: string,
  },
  'x-checksum-sha256': {
    description:
      'SHA-256 of the file, in base64. Sent only if the file was stored by a `POST /files` request that contained this digest. Not sent if the request has `provider`.',
    schema: string,
  },
  'content-disposition': {
    description:
      '`attachment`: browsers save the file instead of showing it. Sent only with the parameter `provider`.',
    schema: string,
  },
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
