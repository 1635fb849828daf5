import type { Call } from './faults.ts';

/** All calls so far, in order. */
export class Journal {
  readonly calls: Call[] = [];
  /** How many calls there were, stored or not. */
  count = 0;
  /** False if there are too many calls to store. */
  keeps: boolean;
  readonly #counts = new Map<string, number>();

  constructor(keeps = true) {
    this.keeps = keeps;
  }

  note(call: Omit<Call, 'index' | 'nth'>): Call {
    const operation = `${call.service} ${call.operation}`;
    const nth = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, nth);
    const noted = { ...call, index: ++this.count, nth };
    if (this.keeps) this.calls.push(noted);
    return noted;
  }
}
