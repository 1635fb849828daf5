import type { AwsRole } from '../../aws/own-role.ts';
import { signDownload } from '../../aws/signatures.ts';
import { readAtMost } from '../../byte-streams.ts';
import { objectKey } from '../../files/file.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { type InputBytes, ProviderError, type ProviderInputs } from '../providers/provider.ts';
import { type Part, partOf } from './earlier-video.ts';
import type { InputObject, InputObjects } from './input-objects.ts';
import { inputSource } from './input-source.ts';

export interface ProviderInputsPorts {
  /** For addresses that callers name. */
  readonly fetch: typeof fetch;
  readonly files: Pick<FileStore, 'find'>;
  readonly jobs: Pick<JobStore, 'look'>;
  readonly objects: Pick<InputObjects, 'open'>;
  readonly linkTo: (object: InputObject, mediaType: string, now: Date) => Promise<string>;
  /** How long all addresses of a job may take together. */
  readonly addressMilliseconds: number;
  readonly filesBucket: string;
  /** Of inline images and results. */
  readonly resultsBucket: string;
  readonly now: () => Date;
}

/**
 * Fits into a provider's request as base64 in JSON. While a job is sent, its inputs take five times this much memory,
 * and a poller has ten jobs at a time: more would exhaust it, and stop the other jobs too.
 */
const LARGEST_INPUTS = 16 * 1024 * 1024;

/** The inputs of one job of a workspace, for one submit. */
export class WorkspaceInputs implements ProviderInputs {
  readonly #workspaceId: string;
  readonly #ports: ProviderInputsPorts;
  #bytesRead = 0;
  /** Ends the reading of addresses. Its time begins with the first of them. */
  #end: AbortSignal | undefined;

  constructor(workspaceId: string, ports: ProviderInputsPorts) {
    this.#workspaceId = workspaceId;
    this.#ports = ports;
  }

  link(url: string): Promise<string> {
    return ownFailures(async () => {
      const object = await this.#find(url);
      if (object === undefined) return url;
      return this.#ports.linkTo(object, object.mediaType, this.#ports.now());
    });
  }

  read(url: string): Promise<InputBytes> {
    return ownFailures(async () => {
      const object = await this.#find(url);
      const bytes =
        object === undefined
          ? await this.#download(url)
          : await this.#collect(await this.#ports.objects.open(object));
      return identified(bytes);
    });
  }

  /** Undefined for an address that is not ours. */
  async #find(url: string): Promise<(InputObject & { mediaType: string }) | undefined> {
    const source = inputSource(url);
    if (source.kind === 'address') return undefined;
    if (source.kind === 'inline') {
      return { bucket: this.#ports.resultsBucket, key: source.key, mediaType: source.mediaType };
    }
    if (source.kind === 'result') return this.#findResult(source.jobId, source.part);
    const file = await this.#ports.files.find(this.#workspaceId, source.id);
    if (file === undefined) throw refused(`the file ${source.id} has been deleted or has expired`);
    const key = objectKey(this.#workspaceId, file.id);
    return { bucket: this.#ports.filesBucket, key, mediaType: file.mime_type };
  }

  async #findResult(jobId: string, part: Part) {
    const { jobs, resultsBucket, now } = this.#ports;
    const found = partOf(await jobs.look(jobId), this.#workspaceId, part, now());
    if (!('missing' in found)) return { bucket: resultsBucket, ...found };
    if (found.isComing) throw new Error(`${jobId} ${found.missing} yet`);
    throw refused(`${jobId} ${found.missing}`);
  }

  async #download(url: string): Promise<Uint8Array> {
    const { addressMilliseconds } = this.#ports;
    this.#end ??= AbortSignal.timeout(addressMilliseconds);
    const signal = this.#end;
    const { host } = new URL(url);
    try {
      const response = await this.#ports.fetch(url, { signal });
      if (!response.ok) throw refused(`the URL at ${host} returned the HTTP status ${response.status}`);
      return await this.#collect(response.body);
    } catch (cause) {
      if (cause instanceof ProviderError) throw cause;
      const slow = `the inputs could not be downloaded from their URLs within ${addressMilliseconds / 1000} s`;
      throw refused(signal.aborted ? slow : `the file at ${host} could not be downloaded`, cause);
    }
  }

  async #collect(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array> {
    const bytes = await readAtMost(body && this.#counted(body), LARGEST_INPUTS);
    if (bytes === undefined) throw refused('it is larger than 16 MiB');
    return bytes;
  }

  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let own = 0;
    for await (const chunk of body) {
      own += chunk.byteLength;
      this.#bytesRead += chunk.byteLength;
      if (own <= LARGEST_INPUTS && this.#bytesRead > LARGEST_INPUTS) {
        throw refused('the inputs exceed 16 MiB in total');
      }
      yield chunk;
    }
  }
}

/** An error on our side has sent nothing to the provider yet, and may pass. */
async function ownFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('unavailable', 'Genway could not read an input', {
      cause,
      isOfInput: true,
    });
  }
}

async function identified(bytes: Uint8Array): Promise<InputBytes> {
  // Loaded when it is needed: few jobs have inputs that are read here.
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  if (type === undefined || !/^(image|audio|video)\//.test(type.mime)) {
    throw refused('its content is not recognized as an image, an audio clip or a video');
  }
  return { mediaType: type.mime, bytes };
}

const refused = (why: string, cause?: unknown) =>
  new ProviderError('refused', `An input cannot be used: ${why}`, { cause, isOfInput: true });

/** As long as a queue of a provider may take before it fetches; a signature does not outlive our role's session. */
const LINK_SECONDS = 2 * 3600;

export function inputLink(
  role: AwsRole,
  { bucket, key }: InputObject,
  mediaType: string,
  now: Date,
): Promise<string> {
  return signDownload(role, { bucket, key, contentType: mediaType }, now, LINK_SECONDS);
}
