import type { Call } from './faults.ts';

/** A process that calls AWS and may die. The calls of a dead process never end, so it does nothing more. */
export class Process {
  readonly name: string;
  /** Resolves with the call at which the process died. */
  readonly crashed: Promise<Call>;
  readonly crash: (at: Call) => void;
  isAlive = true;

  constructor(name: string) {
    this.name = name;
    const { promise, resolve } = Promise.withResolvers<Call>();
    this.crashed = promise;
    this.crash = (at) => {
      this.isAlive = false;
      resolve(at);
    };
  }
}

export const never = (): Promise<never> => new Promise(() => undefined);
