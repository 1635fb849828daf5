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
