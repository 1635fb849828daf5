import * as v from 'valibot';
import { linkQuery, linkSchema } from '../../downloads/link-answer.ts';
import { LONGEST_EXPIRY_SECONDS, PURPOSES } from '../../files/file.ts';
import { fileListQuery, fileScopeHeader, fileScopeQuery } from '../../files/file-requests.ts';
import { deletedFileSchema, fileListSchema, fileSchema } from '../../files/shown-file.ts';
import { keyed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

const bytes = v.pipe(v.string(), v.metadata({ format: 'binary' }));

const seconds = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_EXPIRY_SECONDS));

const uploadForm = () =>
  v.object({
    file: v.pipe(bytes, v.description('One part with a filename: 1 byte to 100 MiB')),
    purpose: v.optional(
      v.pipe(v.picklist(PURPOSES), v.description('Kept, and shown in the form of `provider_a`')),
      'user_data',
    ),
    'expires_after[anchor]': v.optional(
      v.pipe(v.literal('created_at'), v.description('As clients of OpenAI’s API send it')),
    ),
    'expires_after[seconds]': v.optional(
      v.pipe(seconds, v.description('The same as `expires_in_seconds`, as clients of OpenAI’s API send it')),
    ),
    expires_in_seconds: v.optional(
      v.pipe(
        seconds,
        v.description('For how many seconds the file is kept; without it, until it is deleted'),
      ),
    ),
  });

const shape =
  'Its form is that of the provider that is named; else a header `anthropic-version` asks for that of ' +
  '`provider_b`, a `User-Agent` of `OpenAI/…` for that of `provider_a`; `_shape` tells which it is.';

/** Of the file, not of the form around it. */
const digests = {
  'Content-MD5': v.optional(
    v.pipe(
      v.string(),
      v.description('The MD5 of the file. Another one is a 400, and nothing is kept; so with all of these.'),
    ),
  ),
  Digest: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Digests of the file (RFC 3230): `sha-256=<base64>`; MD5, SHA-256 and SHA-512 are checked.',
      ),
    ),
  ),
  'Repr-Digest': v.optional(
    v.pipe(v.string(), v.description('The same as RFC 9530 writes it: `sha-256=:<base64>:`.')),
  ),
  'X-Checksum-Crc32': v.optional(
    v.pipe(v.string(), v.description('The CRC-32 of the file, in base64 or hexadecimal digits.')),
  ),
  'X-Checksum-Sha256': v.optional(
    v.pipe(v.string(), v.description('The SHA-256 of the file, in base64 or hexadecimal digits.')),
  ),
};
const checksums = ['x-checksum-crc32', 'x-checksum-sha256'] as const;

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'upload-file': { ...keyed('POST', '/files', 'upload', 'generate'), answers503: true },
  'list-files': { ...keyed('GET', '/files', 'read', 'read'), answers503: true },
  'get-file': { ...keyed('GET', '/files/{file}', 'read', 'read'), answers503: true },
  'delete-file': { ...keyed('DELETE', '/files/{file}', 'read', 'generate'), answers503: true },
  'get-file-content': {
    ...keyed('GET', '/files/{file}/content', 'read', 'content'),
    answers503: true,
    recorded: true,
  },
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'upload-file': {
      tag: 'Files',
      summary: 'Upload a file',
      description: `The type is found in the bytes. ${shape}`,
      query: fileScopeQuery,
      headers: { ...fileScopeHeader, ...digests },
      form: uploadForm(),
      answers: { 200: { says: 'The file.', body: fileSchema, headers: checksums } },
      refuses: [413, 502],
    },
    'list-files': {
      tag: 'Files',
      summary: 'List files',
      description: `Give one of \`cursor\`, \`after\`, \`after_id\` and \`page\`: the last id of the page before. ${shape}`,
      query: { ...fileScopeQuery, ...fileListQuery() },
      headers: fileScopeHeader,
      answers: {
        200: {
          says: 'A page of files.',
          headers: ['x-storage-used', 'x-storage-limit'],
          body: fileListSchema,
        },
      },
      refuses: [502],
    },
    'get-file': {
      tag: 'Files',
      summary: 'Read a file’s description',
      description: shape,
      query: fileScopeQuery,
      headers: fileScopeHeader,
      answers: { 200: { says: 'The file.', body: fileSchema, headers: checksums } },
      refuses: [404, 502],
    },
    'delete-file': {
      tag: 'Files',
      summary: 'Delete a file',
      query: fileScopeQuery,
      headers: fileScopeHeader,
      answers: { 200: { says: 'It is gone.', body: deletedFileSchema } },
      refuses: [404, 502],
    },
    'get-file-content': {
      tag: 'Files',
      summary: 'Download a file',
      query: { ...fileScopeQuery, ...linkQuery },
      headers: fileScopeHeader,
      answers: {
        200: {
          says: 'With `redirect=false`, where the bytes are; with `provider`, the bytes of a file at a provider.',
          body: { 'application/json': linkSchema, 'application/octet-stream': bytes },
          headers: ['content-disposition', ...checksums],
        },
        302: {
          says: 'The bytes are there, for five minutes, without a key; a `Range` is answered there.',
          headers: ['location', ...checksums],
        },
      },
      refuses: [404, 502],
    },
  }) as const satisfies Operations<typeof routes>;
