/** What JSON writes for a character, where a vendor quotes a whole request. */
const ESCAPE = /\\(?:u[\da-fA-F]{4}|[^u])/g;
/** Scripts without spaces between words count by character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

/** A vendor may name a word that it refuses, and says many pairs of words that a prompt has too. */
const FEWEST_WORDS = 3;

interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const wordsOf = (text: string): Word[] =>
  [...text.replace(ESCAPE, (found) => ' '.repeat(found.length)).matchAll(WORD)].map(
    ({ 0: found, index }) => ({
      word: found.toLowerCase(),
      start: index,
      end: index + found.length,
    }),
  );

/**
 * What a vendor says of a job, without the runs of words that are in the job's prompt, however they are quoted: whoever
 * reads a log or receives a webhook is not meant to read prompts.
 */
export function withoutPrompt(said: string, prompt: string): string {
  const known = wordsOf(prompt);
  const length = Math.min(FEWEST_WORDS, known.length);
  if (length === 0) return said;
  const runAt = (words: readonly Word[], from: number) =>
    words
      .slice(from, from + length)
      .map(({ word }) => word)
      .join(' ');
  const runs = new Set(known.slice(length - 1).map((_, from) => runAt(known, from)));
  const words = wordsOf(said);
  let shown = '';
  let shownTo = 0;
  let cutTo = 0;
  for (const [from, { start }] of words.slice(0, 1 - length || undefined).entries()) {
    if (!runs.has(runAt(words, from))) continue;
    if (start >= cutTo) shown += `${said.slice(shownTo, start)}[prompt]`;
    cutTo = words[from + length - 1]?.end ?? said.length;
    shownTo = cutTo;
  }
  return shown + said.slice(shownTo);
}
