import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { objectKey, type StoredFile } from '../file.ts';
import type { FileStore } from '../file-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { checkedFilename } from './filename.ts';
import { InspectedFile } from './inspected-file.ts';
import { readUploadForm } from './upload-form.ts';

export interface UploadRequest {
  readonly body: Readable;
  readonly contentType: string | undefined;
  readonly workspaceId: string;
}

export interface UploadPorts {
  readonly files: Pick<FileStore, 'create'>;
  readonly objects: Pick<ObjectStore, 'put' | 'remove'>;
  /** What a workspace may hold in all. */
  readonly quotaBytes: number;
  readonly newFileId: () => string;
  readonly now: () => Date;
}

/**
 * One pipeline for every transport: form, limits, type, object, row. The row is written last, so what
 * has one is complete; whatever fails before leaves neither object nor row.
 * @throws InvalidRequest, PayloadTooLarge, StorageFull
 */
export async function receiveFile(request: UploadRequest, ports: UploadPorts): Promise<StoredFile> {
  const id = ports.newFileId();
  const key = objectKey(request.workspaceId, id);
  try {
    const form = await readUploadForm(request.body, request.contentType, (part) => store(part, key, ports));
    const file: StoredFile = {
      id,
      workspace_id: request.workspaceId,
      filename: checkedFilename(form.filename),
      ...form.file,
      purpose: form.purpose,
      created_at: ports.now().toISOString(),
    };
    await ports.files.create(file, ports.quotaBytes);
    return file;
  } catch (error) {
    await ports.objects.remove(key);
    throw error;
  }
}

async function store(part: Readable, key: string, { objects }: UploadPorts) {
  const inspected = new InspectedFile();
  await Promise.all([pipeline(part, inspected), objects.put(key, inspected)]);
  return inspected.verdict();
}
