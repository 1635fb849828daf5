import { LONG_COPY, workersOfProvider, workersOfWorkspace } from '../../fair-shares.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Occupant, Share, ShareStore } from './share-store.ts';

export interface LongCopyPorts {
  readonly shares: Pick<ShareStore, 'enter' | 'leave'>;
  /** How many copiers work at once. */
  readonly copiers: number;
  /** Calls later. @returns what prevents that */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  readonly now: () => Date;
  readonly log: Log;
}

interface CopyOwner extends Occupant {
  readonly workspaceId: string;
  readonly provider: string;
}

/**
 * A copy that may take long. Most take seconds, and nothing is written for them. One that has taken longer occupies the
 * shares of its workspace and its provider until it ends; if one of them has no room, the copy is ended at once, while
 * little of it is lost.
 */
export class LongCopy {
  readonly #ports: LongCopyPorts;
  readonly #occupant: Occupant;
  readonly #shares: readonly Share[];
  readonly #end = new AbortController();
  readonly #forget: () => void;
  #entered: Promise<boolean> = Promise.resolve(false);

  constructor({ workspaceId, provider, ...occupant }: CopyOwner, ports: LongCopyPorts) {
    this.#ports = ports;
    this.#occupant = occupant;
    this.#shares = [
      { id: `copies of ${workspaceId}`, size: workersOfWorkspace(ports.copiers) },
      { id: `copies from ${provider}`, size: workersOfProvider(ports.copiers) },
    ];
    this.#forget = ports.after(LONG_COPY.afterMilliseconds, () => {
      this.#entered = this.#enter();
    });
  }

  /** Ends the copy, if there is no room for it. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The copy has ended, in whatever way. */
  async leave(): Promise<void> {
    this.#forget();
    if (await this.#entered) await this.#ports.shares.leave(this.#shares, this.#occupant);
  }

  async #enter(): Promise<boolean> {
    const { shares, now, log } = this.#ports;
    try {
      const hasRoom = await shares.enter(this.#shares, this.#occupant, now());
      if (!hasRoom) this.#end.abort();
      return hasRoom;
    } catch (error) {
      log.warn('a long copy continues without its shares', { job_id: this.#occupant.jobId, error });
      // It may have entered some of them.
      return true;
    }
  }
}
