import { type AllowedHosts, checkUrl, EgressRefused } from '../../egress/url-policy.ts';
import type { FileStore } from '../../files/file-store.ts';
import { invalidField } from '../../http/errors.ts';
import { INPUTS_PREFIX } from '../bucket-layout.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { partOf } from './earlier-video.ts';
import { inlineSource, inputSource, resultSource } from './input-source.ts';

export interface TakeInputsPorts {
  readonly files: Pick<FileStore, 'find'>;
  readonly jobs: Pick<JobStore, 'look'>;
  /** The media type of an image; undefined when the bytes are not an image. */
  readonly imageType: (bytes: Uint8Array) => Promise<string | undefined>;
  readonly allowedHosts: AllowedHosts;
  readonly now: () => Date;
}

/** A request that is not a job yet. */
export interface Asked {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly video: RequestedVideo;
}

/** An image that was sent within a request, and where it will be stored. */
export interface InlineImage {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

export interface TakenInputs {
  readonly video: RequestedVideo;
  /** The images among the inputs that are not stored yet. */
  readonly images: readonly InlineImage[];
}

type Kind = 'image' | 'audio' | 'video';
const NAMES: Readonly<Record<Kind, string>> = { image: 'an image', audio: 'an audio clip', video: 'a video' };
type Reference = RequestedVideo['input_references'][number];

/**
 * Checks each input as far as it can be checked before the job is accepted: files and videos by their row, inline images by their
 * bytes, addresses by the rules for addresses. Inline images are moved into objects, because a job's row has no room
 * for them. Nothing is stored here: one wrong input refuses them all.
 * @throws InvalidRequest
 */
export async function takeInputs(asked: Asked, ports: TakeInputsPorts): Promise<TakenInputs> {
  const taker = new InputTaker(asked, ports);
  const { frame_images, input_references } = asked.video;
  const video = {
    ...asked.video,
    frame_images: await Promise.all(
      frame_images.map(async (image, i) => ({
        ...image,
        url: await taker.take('frame_images', 'image', `frame-${i}`, image.url),
      })),
    ),
    input_references: await Promise.all(
      input_references.map(async (reference, i) => ({
        ...reference,
        url: await taker.take(...placeOf(reference.kind), `reference-${i}`, reference.url),
      })),
    ),
  };
  return { video, images: taker.images };
}

const placeOf = (kind: Reference['kind']): [path: string, kind: Kind] =>
  kind === 'extend' || kind === 'edit' ? ['previous_job_id', 'video'] : ['input_references', kind];

class InputTaker {
  readonly images: InlineImage[] = [];
  readonly #asked: Asked;
  readonly #ports: TakeInputsPorts;

  constructor(asked: Asked, ports: TakeInputsPorts) {
    this.#asked = asked;
    this.#ports = ports;
  }

  async take(path: string, kind: Kind, name: string, url: string): Promise<string> {
    if (url.startsWith('data:')) return this.#takeInline(path, name, url);
    const source = inputSource(url);
    if (source.kind === 'result') return this.#takeResult(path, kind, source.jobId);
    if (source.kind === 'file') await this.#checkFile(path, kind, source.id);
    else this.#checkAddress(path, url);
    return url;
  }

  async #takeInline(path: string, name: string, url: string): Promise<string> {
    const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    const { workspaceId, jobId } = this.#asked;
    const key = `${INPUTS_PREFIX}${workspaceId}/${jobId}/${name}`;
    const mediaType = await this.#ports.imageType(bytes);
    if (mediaType === undefined)
      throw wrong(path, 'the inline data is not an image of a known type, such as PNG, JPEG or WebP');
    this.images.push({ key, bytes, mediaType });
    return inlineSource(mediaType, key);
  }

  async #takeResult(path: string, kind: Kind, jobId: string): Promise<string> {
    if (kind === 'audio') throw wrong(path, `${jobId} is a video, but an audio clip is required`);
    const part = kind === 'video' ? 'video' : 'last_frame';
    const job = await this.#ports.jobs.look(jobId);
    const found = partOf(job, this.#asked.workspaceId, part, this.#ports.now());
    if ('missing' in found && !found.isComing) throw wrong(path, `${jobId} ${found.missing}`);
    return resultSource(jobId, part);
  }

  async #checkFile(path: string, kind: Kind, id: string): Promise<void> {
    const file = await this.#ports.files.find(this.#asked.workspaceId, id);
    if (file === undefined) throw wrong(path, `${id} does not exist in this workspace`);
    if (!file.mime_type.startsWith(`${kind}/`)) {
      throw wrong(path, `${id} is ${file.mime_type}, but ${NAMES[kind]} is required`);
    }
  }

  #checkAddress(path: string, url: string): void {
    try {
      checkUrl(url, this.#ports.allowedHosts);
    } catch (error) {
      if (error instanceof EgressRefused) throw wrong(path, `the URL ${error.message}`, error);
      throw error;
    }
  }
}

const wrong = (path: string, why: string, cause?: unknown) => invalidField(path, why, { cause });
