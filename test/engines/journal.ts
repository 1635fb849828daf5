import type { Call } from './faults.ts';

/** Every call so far, in the order in which they were made. */
export class Journal {
  readonly calls: Call[] = [];
  readonly #counts = new Map<string, number>();

  note(call: Omit<Call, 'index' | 'nth'>): Call {
    const operation = `${call.service} ${call.operation}`;
    const nth = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, nth);
    const noted = { ...call, index: this.calls.length + 1, nth };
    this.calls.push(noted);
    return noted;
  }
}
