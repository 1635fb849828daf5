import { closestMatch } from 'leven';

/** None of our names is longer. */
const LONGEST_WORD = 100;

/** The word that was probably meant; undefined where none of them is near. */
export function suggestion(word: string, candidates: readonly string[]): string | undefined {
  const maxDistance = Math.floor((word.length + 1) / 3);
  if (maxDistance === 0 || word.length > LONGEST_WORD) return undefined;
  return closestMatch(word.toLowerCase(), candidates, { maxDistance });
}

/** Ends a refusal: `; did you mean duration?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = suggestion(word, candidates);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** The most warnings of one request: whoever needs more has misunderstood more than a name. */
const MOST_WARNINGS = 5;
const LONGEST_NAME = 64;

/** Hears of a name that nothing knows, and of its place in the request. */
export type Warn = (warning: string, path: string) => void;

/** Says of a name within `place` that it is none of those that are known. */
export type TellUnknown = (name: string, known: readonly string[], place?: string) => void;

/** Tells `warn` of names that a caller has sent and nothing reads: such a name has no effect. */
export function unknownNames(what: 'field' | 'query parameter', warn: Warn): TellUnknown {
  let warnings = 0;
  return (name, known, place = '') => {
    if (++warnings > MOST_WARNINGS) return;
    const path = `${place}${printable(name)}`;
    warn(`${path} is not a ${what} of this operation${didYouMean(name, known)}`, path);
  };
}

/** Callers choose the name, and a header takes only visible ASCII. */
const printable = (name: string): string => name.slice(0, LONGEST_NAME).replace(/[^ -~]/g, '?');
