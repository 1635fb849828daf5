import { placesOfWorkspace } from '../../../fair-shares.ts';
import { RateLimited, ServiceUnavailable } from '../../../http/errors.ts';

const RETRY_SECONDS = 5;

/** How many uploads one server takes at once, and each workspace's share of them. There is no waiting line. */
export class UploadPlaces {
  readonly #total: number;
  readonly #now: () => Date;
  readonly #taken = new Map<string, number>();
  #inUse = 0;
  #peak = 0;
  #isClosed = false;

  constructor(total: number, now: () => Date) {
    this.#total = total;
    this.#now = now;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** The most that were in use at once since the last call. */
  takePeak(): number {
    const peak = this.#peak;
    this.#peak = this.#inUse;
    return peak;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** No new upload gets a place; those under way end in peace. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * @throws RateLimited when the workspace has used up its share
   * @throws ServiceUnavailable when others have the rest
   */
  async hold<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw noPlace();
    const taken = this.#taken.get(workspaceId) ?? 0;
    if (taken >= placesOfWorkspace(this.#total)) throw overShare(taken, this.#now());
    if (this.#inUse >= this.#total) throw noPlace();
    this.#count(workspaceId, 1);
    try {
      return await work();
    } finally {
      this.#count(workspaceId, -1);
    }
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const taken = (this.#taken.get(workspaceId) ?? 0) + change;
    if (taken === 0) this.#taken.delete(workspaceId);
    else this.#taken.set(workspaceId, taken);
    this.#inUse += change;
    this.#peak = Math.max(this.#peak, this.#inUse);
  }
}

const noPlace = (): ServiceUnavailable =>
  new ServiceUnavailable(
    `The upload server cannot take another upload at the moment; try again in ${RETRY_SECONDS} s`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  );

function overShare(share: number, now: Date): RateLimited {
  const uploads = share === 1 ? 'one large upload' : `${share} large uploads`;
  const message = `This workspace already has ${uploads} in progress, the most that this server accepts from a workspace; wait until one ends`;
  return new RateLimited(message, {
    headers: {
      'retry-after': String(RETRY_SECONDS),
      'x-ratelimit-limit': String(share),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(now.getTime() / 1000) + RETRY_SECONDS),
    },
  });
}
