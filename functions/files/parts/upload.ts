import * as v from 'valibot';
import { count } from '../../http/answer-schemas.ts';
import { type Call, jsonBody } from '../../http/call.ts';
import { InvalidRequest, NotFound, PayloadTooLarge } from '../../http/errors.ts';
import {
  checkedFilename,
  DEFAULT_PURPOSE,
  LONGEST_EXPIRY_SECONDS,
  PURPOSES,
  type StoredFile,
} from '../file.ts';
import { type FileDialect, inSeconds, providerAFile, providerAFileSchema } from '../shown-file.ts';
import { LARGEST_FILE, tooLarge } from '../size-limits.ts';

/** In OpenAI's API too. */
const LIFETIME_MILLISECONDS = 60 * 60_000;

/** Each part is a request to S3 when the upload is completed, which must be done within 25 seconds. */
export const MOST_PARTS = 256;

const partSchema = v.object({
  created_at: v.string(),
  /** Its bytes, once they are stored; absent while they are on their way, or where they never came. */
  size: v.exactOptional(v.number()),
});

/**
 * The row of a file that comes in parts. Its room is counted from the beginning. It names each part before that part
 * has an object, and outlives its end for as long as a part that is on its way could arrive.
 */
export const storedUploadSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  status: v.picklist(['pending', 'completed', 'cancelled', 'expired']),
  filename: v.string(),
  purpose: v.string(),
  /** Of the whole file, as its sender has announced it. */
  size_bytes: v.number(),
  /** How long the file is to be kept. */
  expires_in_seconds: v.exactOptional(v.number()),
  created_at: v.string(),
  /** When the sweeper has work with it next. */
  due_at: v.number(),
  /** Of the parts that are stored. */
  received: v.number(),
  parts: v.record(v.string(), partSchema),
  /** What it has become, and of which parts. */
  file_id: v.exactOptional(v.string()),
  part_ids: v.exactOptional(v.array(v.string())),
});
export type StoredUpload = v.InferOutput<typeof storedUploadSchema>;
export type UploadKey = Pick<StoredUpload, 'workspace_id' | 'id'>;

export const isUploadId = (id: string): boolean => /^gw_upload_[0-9a-hjkmnp-tv-z]{26}$/.test(id);

export const partKey = ({ workspace_id, id }: UploadKey, partId: string) => `${workspace_id}/${id}/${partId}`;

/**
 * How many bytes its parts may have together: twice those of the file, because a client sends a part again if it gets no
 * answer. Which of them make the file, only the completion says.
 */
export const roomOf = ({ size_bytes }: Pick<StoredUpload, 'size_bytes'>): number => 2 * size_bytes;

export const endOfUpload = ({ created_at }: Pick<StoredUpload, 'created_at'>): Date =>
  new Date(Date.parse(created_at) + LIFETIME_MILLISECONDS);

/** One whose time is over has expired, whether or not the sweeper has seen it. */
export const statusOf = (upload: StoredUpload, now: Date): StoredUpload['status'] =>
  upload.status === 'pending' && endOfUpload(upload) <= now ? 'expired' : upload.status;

/** @throws NotFound */
export async function findUpload(
  { workspace_id, id }: UploadKey,
  uploads: { find(workspaceId: string, id: string): Promise<StoredUpload | undefined> },
): Promise<StoredUpload> {
  const upload = isUploadId(id) ? await uploads.find(workspace_id, id) : undefined;
  if (upload === undefined) throw new NotFound('No such upload');
  return upload;
}

/** @throws InvalidRequest */
export function assertPending(upload: StoredUpload, now: Date, instead = 'create another one'): void {
  const status = statusOf(upload, now);
  if (status === 'pending') return;
  throw new InvalidRequest(`The upload is ${status}; ${instead}`, {
    metadata: { path: 'upload', status },
  });
}

export const newUploadSchema = v.object({
  bytes: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(1),
    v.metadata({ maximum: LARGEST_FILE }),
    v.description('Size of the whole file in bytes. At most 100 MiB'),
  ),
  filename: v.pipe(v.string(), v.description('Name of the file. At most 255 characters')),
  mime_type: v.optional(
    v.pipe(v.string(), v.description('Ignored: Genway detects the type from the content')),
  ),
  purpose: v.optional(
    v.pipe(
      v.picklist(PURPOSES),
      v.description('Purpose of the file. Genway itself uses it only to filter lists of files'),
    ),
    DEFAULT_PURPOSE,
  ),
  expires_after: v.optional(
    v.pipe(
      v.object({
        anchor: v.optional(v.literal('created_at', 'must be created_at'), 'created_at'),
        seconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_EXPIRY_SECONDS)),
      }),
      v.description(
        'When the file expires. Default: never. The file is created when you complete the upload',
      ),
    ),
  ),
});

export const completionSchema = v.object({
  part_ids: v.pipe(
    v.array(v.string()),
    v.minLength(1),
    v.maxLength(MOST_PARTS),
    v.description('IDs of the parts that make up the file, in order'),
  ),
  md5: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'MD5 of the whole file, in hexadecimal or base64. If it does not match, the response is a 400',
      ),
    ),
  ),
});

/** @throws InvalidRequest, PayloadTooLarge */
export function newUpload(
  call: Call,
  upload: Pick<StoredUpload, 'id' | 'workspace_id'>,
  now: Date,
): StoredUpload {
  const { bytes, filename, purpose, expires_after } = jsonBody(call, newUploadSchema);
  if (bytes > LARGEST_FILE)
    throw new PayloadTooLarge(tooLarge(LARGEST_FILE), { metadata: { path: 'bytes' } });
  const created_at = now.toISOString();
  return {
    ...upload,
    status: 'pending',
    filename: checkedFilename(filename),
    purpose,
    size_bytes: bytes,
    ...(expires_after && { expires_in_seconds: expires_after.seconds }),
    created_at,
    due_at: endOfUpload({ created_at }).getTime(),
    received: 0,
    parts: {},
  };
}

const createdAt = v.pipe(count, v.description('Time of creation, in Unix seconds'));

export const uploadSchema = v.object({
  id: v.string(),
  object: v.literal('upload'),
  bytes: v.pipe(
    count,
    v.description('Size of the whole file in bytes, as given when the upload was created'),
  ),
  filename: v.pipe(
    v.string(),
    v.description('Name given when the upload was created, or `upload` if that name was empty'),
  ),
  purpose: v.string(),
  status: v.pipe(
    v.picklist(['pending', 'completed', 'cancelled', 'expired']),
    v.description('Status of the upload. You can add parts only while it is `pending`'),
  ),
  created_at: createdAt,
  expires_at: v.pipe(count, v.description('When a pending upload expires, in Unix seconds')),
  file: v.pipe(
    v.nullable(providerAFileSchema),
    v.description(
      'The file that the completed upload created. Null until the upload is completed, and once the file is deleted or has expired',
    ),
  ),
});

export const uploadPartSchema = v.object({
  id: v.string(),
  object: v.literal('upload.part'),
  upload_id: v.string(),
  created_at: createdAt,
});

/** As OpenAI's API has it: no other API has uploads in parts. */
export const describeUpload = (
  upload: StoredUpload,
  file: StoredFile | undefined,
  { name }: FileDialect,
  now: Date,
): v.InferOutput<typeof uploadSchema> => ({
  id: upload.id,
  object: 'upload',
  bytes: upload.size_bytes,
  filename: upload.filename,
  purpose: upload.purpose,
  status: statusOf(upload, now),
  created_at: inSeconds(upload.created_at),
  expires_at: inSeconds(endOfUpload(upload).toISOString()),
  file: file === undefined ? null : providerAFile(file, name),
});

export const describePart = (
  uploadId: string,
  { id, created_at }: { readonly id: string; readonly created_at: string },
): v.InferOutput<typeof uploadPartSchema> => ({
  id,
  object: 'upload.part',
  upload_id: uploadId,
  created_at: inSeconds(created_at),
});
