import { setImmediate as turn } from 'node:timers/promises';

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

/**
 * Time that passes by itself, but only while everybody waits for it: one timer rings at a time, in order, and
 * the next one when all that this one set off waits in its turn. So an hour takes no time, and two runs of
 * the same program are the same.
 */
export class VirtualClock {
  #now: number;
  #timers: Timer[] = [];
  #isRunning = false;
  #held = 0;

  constructor(start: Date = new Date('2030-01-01T00:00:00Z')) {
    this.#now = start.getTime();
  }

  readonly now = (): Date => new Date(this.#now);

  readonly wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer: Timer = { at: this.#now + milliseconds, ring: resolve };
      signal?.addEventListener('abort', () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
        reject(signal.reason);
      });
      this.#insert(timer);
      void this.#run();
    });

  /** Keeps time from passing while something is under way that does not go by this clock. */
  async holdFor<T>(work: Promise<T>): Promise<T> {
    this.#held++;
    try {
      return await work;
    } finally {
      this.#held--;
    }
  }

  /** After all that ring earlier or at the same time. */
  #insert(timer: Timer): void {
    const after = this.#timers.findLastIndex(({ at }) => at <= timer.at);
    this.#timers.splice(after + 1, 0, timer);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    do await turn();
    while (this.#held > 0 || this.#ringNext());
    this.#isRunning = false;
  }

  #ringNext(): boolean {
    const timer = this.#timers.shift();
    if (timer === undefined) return false;
    this.#now = Math.max(this.#now, timer.at);
    timer.ring();
    return true;
  }
}
