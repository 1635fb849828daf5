import { didYouMean } from './did-you-mean.ts';

/** The most warnings of one request: whoever needs more has misunderstood more than a name. */
const MOST_WARNINGS = 5;
const LONGEST_NAME = 64;

export type Warn = (warning: string) => void;

/** Says of a name within `place` that it is none of those that are known. */
export type TellUnknown = (name: string, known: readonly string[], place?: string) => void;

/** Tells `warn` of names that a caller has sent and nothing reads: such a name has no effect. */
export function unknownNames(what: 'field' | 'query parameter', warn: Warn): TellUnknown {
  let warnings = 0;
  return (name, known, place = '') => {
    if (++warnings > MOST_WARNINGS) return;
    warn(`${place}${printable(name)} is not a ${what} of this operation${didYouMean(name, known)}`);
  };
}

/** Callers choose the name, and a header takes only visible ASCII. */
const printable = (name: string): string => name.slice(0, LONGEST_NAME).replace(/[^ -~]/g, '?');
