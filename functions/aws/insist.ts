import { isOverload } from './overload.ts';

const ATTEMPTS = 7;
const FIRST_PAUSE = 250;

type Pause = (milliseconds: number) => Promise<void>;

/**
 * For work that must not be lost: while AWS is busy or out of reach, the work is repeated for some fifteen seconds
 * beyond the retries of the client itself.
 */
export async function insist<T>(work: () => Promise<T>, pause: Pause): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isOverload(error)) throw error;
      await pause(FIRST_PAUSE * 2 ** (attempt - 1));
    }
  }
}

/** A call that insists each time. */
export const insistently =
  (pause: Pause) =>
  <Arguments extends unknown[], T>(call: (...args: Arguments) => Promise<T>) =>
  (...args: Arguments): Promise<T> =>
    insist(() => call(...args), pause);
