import { VideoError, WaitTimeoutError } from './errors.ts';
import { Http, type Options, pause } from './http.ts';
import type { StoredFile, Video, VideoRequest } from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Repeats with the same key make one job. @default a new one */
  readonly idempotencyKey?: string;
}

export interface GetOptions extends CallOptions {
  /** For how many seconds the answer may wait for a change, up to 20. @default it comes at once */
  readonly waitSeconds?: number;
}

export interface WaitOptions extends CallOptions {
  /** @default 30 minutes */
  readonly timeoutMilliseconds?: number;
  /** Gets the job each time that it has been read. */
  readonly onProgress?: (video: Video) => void;
}

export interface DownloadOptions extends CallOptions {
  /** Which of several results. @default 0 */
  readonly index?: number;
  /** Its first frame, or 16 frames in one picture, as a JPEG. @default the video */
  readonly variant?: 'thumbnail' | 'spritesheet';
}

/** The longest time that the API holds a poll. */
const WAIT_SECONDS = 20;
/** Between polls that were answered at once. */
const PACE_MILLISECONDS = 1_000;
const LONGEST_WAIT_MILLISECONDS = 30 * 60_000;

/** A deployment of Genway. */
export class Genway {
  readonly videos: Videos;
  readonly #http: Http;

  constructor(options: Options = {}) {
    this.#http = new Http(options);
    this.videos = new Videos(this.#http);
  }

  /**
   * Stores a file of up to 100 MiB. Genway finds its type in its bytes.
   * @param filename only needed if the data is no `File`
   */
  upload(
    data: Blob | Uint8Array<ArrayBuffer>,
    filename?: string,
    options: CallOptions = {},
  ): Promise<StoredFile> {
    const body = new FormData();
    const blob = data instanceof Blob ? data : new Blob([data]);
    const name = filename ?? (data instanceof File ? data.name : 'file');
    body.append('file', blob, name);
    // After a lost answer the file may be stored: a repeat would store it twice.
    const call = { method: 'POST', body, isRepeatable: false, signal: options.signal };
    return this.#http.read('/files', call);
  }

  /** Waits until the job has ended. @throws VideoError if it ended without a video, WaitTimeoutError */
  async wait(job: Pick<Video, 'id'> | string, options: WaitOptions = {}): Promise<Video> {
    const { timeoutMilliseconds = LONGEST_WAIT_MILLISECONDS, onProgress, signal } = options;
    const id = typeof job === 'string' ? job : job.id;
    const until = Date.now() + timeoutMilliseconds;
    for (;;) {
      const asked = Date.now();
      const waitSeconds = Math.max(1, Math.min(WAIT_SECONDS, Math.floor((until - asked) / 1000)));
      const video = await this.videos.get(id, { waitSeconds, signal });
      onProgress?.(video);
      if (video.status === 'completed') return video;
      if (video.status !== 'pending' && video.status !== 'in_progress') throw new VideoError(video);
      if (Date.now() >= until) throw new WaitTimeoutError(`${id} is still ${video.status}; it goes on`);
      await pause(Math.max(0, PACE_MILLISECONDS - (Date.now() - asked)), signal);
    }
  }

  /** The response whose body is the MP4. `await response.blob()` reads all of it; `response.body` streams it. */
  download(video: Pick<Video, 'id'> | string, options: DownloadOptions = {}): Promise<Response> {
    const { index = 0, variant, signal } = options;
    const id = encodeURIComponent(typeof video === 'string' ? video : video.id);
    const query = new URLSearchParams({
      index: String(index),
      ...(variant === undefined ? {} : { variant }),
    });
    return this.#http.send(`/videos/${id}/content?${query}`, { signal });
  }
}

class Videos {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Submits a job. A repeat after a lost answer makes no second one. */
  create(request: VideoRequest, options: CreateOptions = {}): Promise<Video> {
    const { idempotencyKey = crypto.randomUUID(), signal } = options;
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    const call = { method: 'POST', headers, body: JSON.stringify(request), signal };
    return this.#http.read('/videos', call);
  }

  get(id: string, { waitSeconds, signal }: GetOptions = {}): Promise<Video> {
    const headers: Record<string, string> =
      waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` };
    return this.#http.read(`/videos/${encodeURIComponent(id)}`, { headers, signal });
  }

  /** Asks to cancel a job; the answer's status says what became of it. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<Video> {
    const path = `/videos/${encodeURIComponent(id)}/cancel`;
    return this.#http.read(path, { method: 'POST', isRepeatable: false, signal });
  }
}

type Frame = NonNullable<VideoRequest['frame_images']>[number];

/** An entry of `frame_images`: a file, a completed video (its last frame) or an URL. */
const frame = (frame_type: Frame['frame_type'], image: Pick<StoredFile, 'id'> | string): Frame => ({
  type: 'image_url',
  image_url: { url: typeof image === 'string' ? image : image.id },
  frame_type,
});

export const firstFrame = (image: Pick<StoredFile, 'id'> | string): Frame => frame('first_frame', image);
export const lastFrame = (image: Pick<StoredFile, 'id'> | string): Frame => frame('last_frame', image);
