import type { ByteSink } from '../../byte-streams.ts';
import { InvalidRequest, invalidField, PayloadTooLarge } from '../../http/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ObjectStore } from '../object-store.ts';
import { LARGEST_PART, tooLarge } from '../size-limits.ts';
import { loggedTidyUp, storeAnnounced } from '../upload/receive-file.ts';
import { type IncomingForm, readUploadForm } from '../upload/upload-form.ts';
import {
  assertPending,
  findUpload,
  MOST_PARTS,
  partKey,
  roomOf,
  type StoredUpload,
  type UploadKey,
} from './upload.ts';
import type { KeptPart, UploadStore } from './upload-store.ts';

interface PartRequest extends IncomingForm {
  readonly upload: UploadKey;
  readonly log: Log;
}

export interface AddPartPorts {
  readonly uploads: Pick<UploadStore, 'find' | 'announcePart' | 'keepPart'>;
  readonly objects: Pick<ObjectStore, 'put' | 'remove'>;
  readonly newPartId: () => string;
  readonly now: () => Date;
}

type NamedPart = Pick<KeptPart, 'id' | 'created_at'>;

/**
 * Stores a part of an upload as an object of its own, because only the completion says which parts make the file, in
 * which order. What fails leaves no object.
 * @throws NotFound, InvalidRequest, PayloadTooLarge
 */
export async function addPart(request: PartRequest, ports: AddPartPorts): Promise<NamedPart> {
  const upload = await findUpload(request.upload, ports.uploads);
  assertPending(upload, ports.now());
  const part = { id: ports.newPartId(), created_at: ports.now().toISOString() };
  const kept = await storePart(request, upload, part, ports);
  if (await ports.uploads.keepPart(upload, kept)) return part;
  const key = partKey(upload, part.id);
  await loggedTidyUp(key, request.log)(ports.objects.remove(key));
  throw await noMore(upload, kept.size, ports);
}

async function storePart(
  request: PartRequest,
  upload: StoredUpload,
  part: NamedPart,
  ports: AddPartPorts,
): Promise<KeptPart> {
  const key = partKey(upload, part.id);
  const announce = async () => {
    if (!(await ports.uploads.announcePart(upload, part))) throw await noMore(upload, 0, ports);
  };
  const object = { key, announce, tidyUp: loggedTidyUp(key, request.log) };
  const { file } = await storeAnnounced(object, ports.objects, (put) =>
    readUploadForm({ ...request, part: 'data' }, () => new IncomingPart(put(), upload)),
  );
  return { ...part, size: file };
}

/** Why the upload takes no more of them. */
async function noMore(
  upload: UploadKey,
  size: number,
  { uploads, now }: AddPartPorts,
): Promise<InvalidRequest> {
  const found = await findUpload(upload, uploads);
  assertPending(found, now());
  if (found.received + size > roomOf(found)) return noRoom(found);
  return new InvalidRequest(
    `An upload can have at most ${MOST_PARTS} parts, failed ones included; create another upload with larger parts`,
  );
}

function noRoom(upload: StoredUpload): InvalidRequest {
  const left = roomOf(upload) - upload.received;
  const rule = `the upload can receive only ${left} more ${left === 1 ? 'byte' : 'bytes'}`;
  return invalidField(
    'data',
    `the part is too large; ${rule}, because all its parts together may be at most twice as large as the file`,
  );
}

/** A part on its way into storage: its bytes are counted. */
class IncomingPart implements ByteSink<number> {
  readonly #object: ByteSink<unknown>;
  readonly #upload: StoredUpload;
  #size = 0;

  constructor(object: ByteSink<unknown>, upload: StoredUpload) {
    this.#object = object;
    this.#upload = upload;
  }

  /** @throws PayloadTooLarge, InvalidRequest where the upload has no room for it */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#size += bytes.length;
    if (this.#size > LARGEST_PART) throw new PayloadTooLarge(tooLarge(LARGEST_PART, 'part'));
    if (this.#upload.received + this.#size > roomOf(this.#upload)) throw noRoom(this.#upload);
    return this.#object.write(bytes);
  }

  /**
   * @returns how many there were
   * @throws InvalidRequest for an empty part
   */
  async end(): Promise<number> {
    if (this.#size === 0) throw new InvalidRequest('The part is empty', { metadata: { path: 'data' } });
    await this.#object.end();
    return this.#size;
  }

  abort(reason: unknown): Promise<void> {
    return this.#object.abort(reason);
  }
}
