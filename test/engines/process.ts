import type { Call } from './faults.ts';

/** Somebody who calls AWS and may die. What a dead process has asked for never ends, so that it does nothing more. */
export class Process {
  readonly name: string;
  /** The call that it died at. */
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
