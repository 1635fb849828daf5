import { setImmediate as afterTurn } from 'node:timers';

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

/**
 * A clock that moves only while everybody waits for it. It rings one timer at a time, in order, and moves on when all
 * work of that timer waits again. So an hour takes no real time, and two runs of one program are equal.
 */
export class VirtualClock {
  #now: number;
  #timers: Timer[] = [];
  #isRunning = false;

  constructor(start: Date = new Date('2030-01-01T00:00:00Z')) {
    this.#now = start.getTime();
  }

  readonly now = (): Date => new Date(this.#now);

  readonly wait = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (signal === undefined) return new Promise((resolve) => this.ringIn(milliseconds, resolve));
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = this.ringIn(milliseconds, resolve);
      signal.addEventListener('abort', () => {
        stop();
        reject(signal.reason);
      });
    });
  };

  /** @returns a function that stops the timer */
  ringIn(milliseconds: number, ring: () => void): () => void {
    const timer: Timer = { at: this.#now + milliseconds, ring };
    this.#insert(timer);
    this.#run();
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  }

  /** Inserts the timer after all timers that ring earlier or at the same time. */
  #insert(timer: Timer): void {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const each = this.#timers[middle];
      if (each !== undefined && each.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    afterTurn(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isRunning = this.#ringNext();
    if (this.#isRunning) afterTurn(this.#turn);
  };

  #ringNext(): boolean {
    const timer = this.#timers.shift();
    if (timer === undefined) return false;
    this.#now = Math.max(this.#now, timer.at);
    timer.ring();
    return true;
  }
}
