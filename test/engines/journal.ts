import type { Call } from './faults.ts';

/** Every call so far, in the order in which they were made. */
export class Journal {
  readonly calls: Call[] = [];
  /** How many there were, kept or not. */
  count = 0;
  /** False where they are too many to be kept. */
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
