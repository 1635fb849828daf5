import { setImmediate } from 'node:timers/promises';

/** Each takes microseconds: all of them, less than two milliseconds. */
export const STEPS_A_TURN = 500;

/** Does work that yields after each small step, and lets others have their turn in between: one thread serves many uploads. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    for (let step = 0; step < STEPS_A_TURN; step++) {
      const { done, value } = work.next();
      if (done === true) return value;
    }
    await setImmediate();
  }
}
