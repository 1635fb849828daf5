import * as v from 'valibot';
import { linkQuery, linkSchema } from '../../downloads/link-answer.ts';
import { LONGEST_EXPIRY_SECONDS, PURPOSES } from '../../files/file.ts';
import {
  fileListQuery,
  fileScopeHeader,
  fileScopeQuery,
  uploadScopeQuery,
} from '../../files/file-requests.ts';
import {
  completionSchema,
  newUploadSchema,
  uploadPartSchema,
  uploadSchema,
} from '../../files/parts/upload.ts';
import { deletedFileSchema, fileListSchema, fileSchema } from '../../files/shown-file.ts';
import { keyed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

const bytes = v.pipe(v.string(), v.metadata({ format: 'binary' }));

const seconds = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_EXPIRY_SECONDS));

const uploadForm = () =>
  v.object({
    file: v.pipe(
      bytes,
      v.description(
        'The file, as a form part with a filename. From 1 byte to 100 MiB, or to 4 MiB if the deployment does not accept large uploads. Genway’s own storage accepts PDF, PNG, JPEG, GIF, WebP, MP3, WAV, FLAC, Ogg audio, DOCX, XLSX, PPTX and UTF-8 text, but no videos',
      ),
    ),
    purpose: v.optional(
      v.pipe(
        v.picklist(PURPOSES),
        v.description(
          'Purpose of the file. Genway stores the purpose or, with `provider=provider_a`, passes it on to OpenAI. Only responses in OpenAI’s format include it. No effect at Anthropic',
        ),
      ),
      'user_data',
    ),
    'expires_after[anchor]': v.optional(
      v.pipe(
        v.literal('created_at'),
        v.description(
          'Time from which `expires_after[seconds]` counts. Always `created_at`: the creation of the file',
        ),
      ),
    ),
    'expires_after[seconds]': v.optional(
      v.pipe(seconds, v.description('The same as `expires_in_seconds`, as OpenAI’s clients send it')),
    ),
    expires_in_seconds: v.optional(
      v.pipe(
        seconds,
        v.description(
          'Seconds until the file expires. Default: the file is kept until you delete it. No effect with `provider`',
        ),
      ),
    ),
  });

const shape =
  'The response format follows `provider` if given. Otherwise the header `anthropic-version` selects the format of ' +
  '`provider_b`. Without it, a `User-Agent` of `OpenAI/…`, `AsyncOpenAI/…` or `litellm/…` selects that of `provider_a`. All other clients get Genway’s format. In the response, `_shape` names the format.';

/** Of the file, not of the form around it. */
const digestsOf = (content: 'file' | 'part') => ({
  'Content-MD5': v.optional(
    v.pipe(
      v.string(),
      v.description(
        `MD5 of the ${content}, not of the form around it, in base64 or hexadecimal. If a digest does not match, the request fails with a 400 and nothing is stored.`,
      ),
    ),
  ),
  Digest: v.optional(
    v.pipe(
      v.string(),
      v.description(
        `Digests of the ${content} (RFC 3230), such as \`sha-256=<base64>\`. Must include MD5, SHA-256 or SHA-512. Genway ignores other algorithms.`,
      ),
    ),
  ),
  'Repr-Digest': v.optional(
    v.pipe(
      v.string(),
      v.description(
        `Digests of the ${content} (RFC 9530), such as \`sha-256=:<base64>:\`. Must include MD5, SHA-256 or SHA-512. Genway ignores other algorithms.`,
      ),
    ),
  ),
  'X-Checksum-Crc32': v.optional(
    v.pipe(v.string(), v.description(`CRC-32 of the ${content}, in base64 or hexadecimal.`)),
  ),
  'X-Checksum-Sha256': v.optional(
    v.pipe(v.string(), v.description(`SHA-256 of the ${content}, in base64 or hexadecimal.`)),
  ),
});
const checksums = ['x-checksum-crc32', 'x-checksum-sha256'] as const;

const inOpenaisFormat = ' The response always has the format of OpenAI’s API.';

const partForm = () =>
  v.object({
    data: v.pipe(
      bytes,
      v.description(
        'The bytes to store, as a form part with a filename. From 1 byte to 64 MiB, or to 4 MiB if the deployment does not accept large uploads',
      ),
    ),
  });

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
  'create-upload': { ...keyed('POST', '/uploads', 'upload', 'generate'), answers503: true },
  'add-upload-part': { ...keyed('POST', '/uploads/{upload}/parts', 'upload', 'generate'), answers503: true },
  'complete-upload': {
    ...keyed('POST', '/uploads/{upload}/complete', 'upload', 'generate'),
    answers503: true,
  },
  'cancel-upload': { ...keyed('POST', '/uploads/{upload}/cancel', 'read', 'generate'), answers503: true },
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'upload-file': {
      tag: 'Files',
      summary: 'Upload a file',
      description: `Stores a file, such as an input for a video, and detects its type from the content. With \`provider\`, Genway instead passes the file on to the Files API of that provider, where videos cannot use it. ${shape}`,
      query: fileScopeQuery,
      headers: { ...fileScopeHeader, ...digestsOf('file') },
      form: uploadForm(),
      answers: { 200: { says: 'The file.', body: fileSchema, headers: checksums } },
      refuses: [413, 502],
    },
    'list-files': {
      tag: 'Files',
      summary: 'List files',
      description: `Returns the files of a workspace, oldest first. With \`order=desc\`, newest first. With \`provider\`, returns the files at that provider instead. Files at Anthropic come in Anthropic’s order. To get the next page, send the last ID of this page as one of \`cursor\`, \`after\`, \`after_id\` or \`page\`. ${shape}`,
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
      summary: 'Get a file',
      description: `Returns the metadata of a file. ${shape}`,
      query: fileScopeQuery,
      headers: fileScopeHeader,
      answers: { 200: { says: 'The file.', body: fileSchema, headers: checksums } },
      refuses: [404, 502],
    },
    'delete-file': {
      tag: 'Files',
      summary: 'Delete a file',
      description:
        'Deletes a file and invalidates the links to it. Jobs that use the file fail if the provider has not yet read it. After a 503, the file may already be deleted, and links to it may work for another five minutes.',
      query: fileScopeQuery,
      headers: fileScopeHeader,
      answers: { 200: { says: 'The file is deleted.', body: deletedFileSchema } },
      refuses: [404, 502],
    },
    'get-file-content': {
      tag: 'Files',
      summary: 'Download a file',
      description:
        'Redirects to the content of a file. With `redirect=false`, returns the link instead. For files at a provider, the response is the content itself, at most 4 MiB, and `redirect=false` is not supported.',
      query: { ...fileScopeQuery, ...linkQuery },
      headers: fileScopeHeader,
      answers: {
        200: {
          says: 'With `redirect=false`, a link to the content. With `provider`, the content itself.',
          body: { 'application/json': linkSchema, 'application/octet-stream': bytes },
          headers: ['content-disposition', ...checksums],
        },
        302: {
          says: 'Redirects to the content. The link needs no key, expires after at most five minutes, and supports the header `Range`.',
          headers: ['location', ...checksums],
        },
      },
      refuses: [404, 502],
    },
    'create-upload': {
      tag: 'Files',
      summary: 'Create an upload',
      description: `Creates an upload for a file that you send in parts, and reserves space for the file in the storage quota of the workspace. An upload expires if you do not complete it within an hour.${inOpenaisFormat}`,
      query: uploadScopeQuery,
      headers: fileScopeHeader,
      body: newUploadSchema,
      answers: { 200: { says: 'The upload, with status `pending`.', body: uploadSchema } },
      refuses: [413],
    },
    'add-upload-part': {
      tag: 'Files',
      summary: 'Add a part to an upload',
      description: `Stores a part of the file. You can add parts in parallel and in any order. You give their order when you complete the upload.${inOpenaisFormat}`,
      query: uploadScopeQuery,
      headers: { ...fileScopeHeader, ...digestsOf('part') },
      form: partForm(),
      answers: { 200: { says: 'The part.', body: uploadPartSchema } },
      refuses: [404, 413],
    },
    'complete-upload': {
      tag: 'Files',
      summary: 'Complete an upload',
      description: `Creates a file from the parts, in the given order. Genway checks the file as \`POST /files\` does. Completing the upload again with the same \`part_ids\` has no further effect.${inOpenaisFormat}`,
      query: uploadScopeQuery,
      headers: fileScopeHeader,
      body: completionSchema,
      answers: {
        200: {
          says: 'The upload. If you repeat a completion, `file` is null once the file has been deleted or has expired.',
          body: uploadSchema,
        },
      },
      refuses: [404],
    },
    'cancel-upload': {
      tag: 'Files',
      summary: 'Cancel an upload',
      description: `Deletes the parts, and releases the space that the upload has reserved. You cannot cancel a completed upload: delete its file instead.${inOpenaisFormat}`,
      query: uploadScopeQuery,
      headers: fileScopeHeader,
      answers: { 200: { says: 'The upload, with status `cancelled`.', body: uploadSchema } },
      refuses: [404],
    },
  }) as const satisfies Operations<typeof routes>;
