import { isDeepStrictEqual } from 'node:util';
import type { WriteConditions } from '../../aws/dynamo-writes.ts';
import { pour } from '../../byte-streams.ts';
import { defined } from '../../defined.ts';
import { ApiError, invalidField } from '../../http/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { objectKey, type StoredFile } from '../file.ts';
import type { FileStore } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { type ClaimedDigest, DigestCheck } from '../upload/claimed-digests.ts';
import { expiryOf, IncomingFile, loggedTidyUp, storeAnnounced } from '../upload/receive-file.ts';
import { type RemovePartsPorts, removeParts } from './end-upload.ts';
import { assertPending, findUpload, partKey, type StoredUpload, type UploadKey } from './upload.ts';
import type { UploadStore } from './upload-store.ts';

interface CompleteRequest {
  readonly upload: UploadKey;
  /** In the order of the file. */
  readonly partIds: readonly string[];
  /** What the client says of the whole file. */
  readonly claims: readonly ClaimedDigest[];
  readonly conditions: () => WriteConditions;
  readonly log: Log;
}

export interface CompleteUploadPorts extends RemovePartsPorts {
  readonly uploads: Pick<UploadStore, 'find' | 'complete'>;
  readonly files: Pick<FileStore, 'announce' | 'find'>;
  readonly objects: Pick<ObjectStore, 'put' | 'remove'>;
  /** Undefined where there is no such object. */
  readonly open: (key: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly newFileId: () => string;
  readonly now: () => Date;
}

interface CompletedUpload {
  readonly upload: StoredUpload;
  /** Undefined where it has been deleted since. */
  readonly file: StoredFile | undefined;
}

/**
 * Makes a file of an upload's parts. Whoever completes the upload first decides; others get the same answer.
 * @throws NotFound, InvalidRequest
 */
export async function completeUpload(
  request: CompleteRequest,
  ports: CompleteUploadPorts,
): Promise<CompletedUpload> {
  const upload = await findUpload(request.upload, ports.uploads);
  if (upload.status === 'completed') return completedBefore(upload, request, ports);
  assertPending(upload, ports.now());
  assertWhole(upload, request.partIds);
  const file = await makeFile(request, upload, ports);
  if (file === undefined) return completedBefore(await findUpload(upload, ports.uploads), request, ports);
  await removeParts(upload, ports, request.log);
  return { upload: { ...upload, status: 'completed' }, file };
}

/** The answer where another call or an earlier one has ended the upload. */
async function completedBefore(
  upload: StoredUpload,
  { partIds }: CompleteRequest,
  { files, now }: CompleteUploadPorts,
): Promise<CompletedUpload> {
  if (upload.status !== 'completed') assertPending(upload, now());
  if (!isDeepStrictEqual(upload.part_ids, partIds))
    throw invalidField(
      'part_ids',
      'the upload was already completed with a different list of part IDs; send that list',
    );
  return { upload, file: await files.find(upload.workspace_id, upload.file_id ?? '') };
}

/** @throws InvalidRequest unless these parts are stored, and are the whole file */
function assertWhole({ parts, size_bytes }: StoredUpload, partIds: readonly string[]): void {
  let total = 0;
  for (const [i, id] of partIds.entries()) {
    const size = Object.hasOwn(parts, id) ? parts[id]?.size : undefined;
    if (size === undefined) throw invalidField(['part_ids', i], 'is not a part of this upload');
    if (partIds.indexOf(id) !== i)
      throw invalidField(['part_ids', i], 'is already in part_ids; name each part once');
    total += size;
  }
  if (total !== size_bytes)
    throw invalidField(
      'part_ids',
      `the parts must have ${size_bytes} bytes in total, as declared when the upload was created; they have ${total}`,
    );
}

/** @returns undefined where another call has ended the upload */
async function makeFile(
  request: CompleteRequest,
  upload: StoredUpload,
  ports: CompleteUploadPorts,
): Promise<StoredFile | undefined> {
  const id = ports.newFileId();
  const key = objectKey(upload.workspace_id, id);
  const tidyUp = loggedTidyUp(key, request.log);
  try {
    const file = await joinParts(request, upload, id, ports);
    const isCompleted = await ports.uploads.complete(upload, file, request.partIds, request.conditions());
    if (isCompleted) return file;
    await tidyUp(ports.objects.remove(key));
    return undefined;
  } catch (error) {
    // After any other error the row may be complete: the object stays, and the sweeper removes it if it is not.
    if (error instanceof ApiError) await tidyUp(ports.objects.remove(key));
    // Whoever has ended the upload has removed its parts.
    if (error instanceof PartGone && (await findUpload(upload, ports.uploads)).status !== 'pending')
      return undefined;
    throw error;
  }
}

/** Reads each byte once, in order, through the checks of any other upload. What fails leaves no object. */
function joinParts(
  { partIds, claims, log }: CompleteRequest,
  upload: StoredUpload,
  id: string,
  { files, objects, open, now }: CompleteUploadPorts,
): Promise<StoredFile> {
  const { workspace_id, filename, purpose } = upload;
  const key = objectKey(workspace_id, id);
  const tidyUp = loggedTidyUp(key, log);
  const announce = () => files.announce({ workspace_id, id });
  return storeAnnounced({ key, announce, tidyUp }, objects, async (put) => {
    const file = new IncomingFile(put(), tidyUp);
    const digests = new DigestCheck(claims);
    const received = await pour(bytesOf(upload, partIds, open), {
      write: (bytes) => {
        digests.update(bytes);
        return file.write(bytes);
      },
      end: () => {
        digests.end();
        return file.end();
      },
      abort: (reason) => file.abort(reason),
    });
    const created = now();
    const expires_at = expiryOf(upload.expires_in_seconds, created);
    return {
      ...{ id, workspace_id, filename, purpose, created_at: created.toISOString() },
      ...received,
      ...defined({ expires_at }),
    };
  });
}

class PartGone extends Error {}

async function* bytesOf(
  upload: StoredUpload,
  partIds: readonly string[],
  open: CompleteUploadPorts['open'],
): AsyncGenerator<Uint8Array> {
  for (const id of partIds) {
    const key = partKey(upload, id);
    const bytes = await open(key);
    if (bytes === undefined) throw new PartGone(`The object of the part is missing: ${key}`);
    yield* bytes;
  }
}
