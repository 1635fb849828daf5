import type { Job } from '../api/types.ts';

const NOTE = 'prompt';
/** What the API takes as a note's value. */
const LONGEST = 512;

/** The API gives no prompt back. A job that is asked for with this note carries it along. */
export const promptNote = (prompt: string): Record<string, string> => ({
  [NOTE]: [...prompt].slice(0, LONGEST).join(''),
});

export const promptOf = ({ metadata }: Pick<Job, 'metadata'>): string | undefined => metadata?.[NOTE];
