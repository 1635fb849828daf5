import { closestMatch } from 'leven';

/** No name of ours is as long. */
const LONGEST_WORD = 100;

/** What was probably meant by a word that is none of these; undefined where nothing is near. */
export function suggestion(word: string, candidates: readonly string[]): string | undefined {
  const maxDistance = Math.floor((word.length + 1) / 3);
  if (maxDistance === 0 || word.length > LONGEST_WORD) return undefined;
  return closestMatch(word.toLowerCase(), candidates, { maxDistance });
}

/** To be put behind a refusal: `; did you mean duration?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = suggestion(word, candidates);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
