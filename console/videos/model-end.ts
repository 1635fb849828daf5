import type { VideoModel } from '../api/types.ts';
import { dateTime } from '../parts/format.ts';

const WARNING_MILLISECONDS = 30 * 86_400_000;

/** A warning once the end that a vendor has announced is at most 30 days away. */
export function endingOf({ eol_at, successor }: Pick<VideoModel, 'eol_at' | 'successor'>, now: Date) {
  if (eol_at === undefined || Date.parse(eol_at) - now.getTime() > WARNING_MILLISECONDS) return undefined;
  return `Retires on ${dateTime(eol_at)}${successor === undefined ? '' : `; its successor is ${successor}`}`;
}
