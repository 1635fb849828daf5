import { isOverload } from './overload.ts';

const ATTEMPTS = 7;
const FIRST_PAUSE = 250;

type Pause = (milliseconds: number) => Promise<void>;

/**
 * For what must not be lost: AWS is asked again for some fifteen seconds beyond the attempts of its client,
 * as long as it is busy or out of reach.
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
