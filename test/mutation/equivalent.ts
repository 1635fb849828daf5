/** A small fault that makes no difference to anybody, so that no test can find it. */
export interface EquivalentFault {
  readonly file: string;
  /** The line that it is in, without its indentation. */
  readonly line: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** `npm run mutate` leaves these out. */
export const EQUIVALENT_FAULTS: readonly EquivalentFault[] = [];
