import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { errorCode } from '../system/failure.ts';
import type { Sample } from './series.ts';

/** Room for about a hundred thousand samples. */
const MOST_BYTES = 16 * 1024 * 1024;
const LATEST = 'latest.jsonl';
const OLDER = 'older.jsonl';

/**
 * Keeps what a run counts, for its dashboards: everything, or as much as fits into two files. It begins at the first
 * sample, because a start that fails must not delete the samples of another run. It never fails, as a run without its
 * numbers is better than none; they begin anew then, which makes room on a full disk.
 *
 * @param warn called once if something cannot be kept
 */
export function keepSamples(
  folder: string,
  warn: (text: string) => void,
  mostBytes = MOST_BYTES,
): (samples: readonly Sample[]) => void {
  let bytes: number | undefined;
  let hasWarned = false;
  return (samples) => {
    if (samples.length === 0) return;
    const text = samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
    try {
      if (bytes === undefined) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        bytes = 0;
      } else if (bytes > 0 && bytes + text.length > mostBytes) {
        renameSync(join(folder, LATEST), join(folder, OLDER));
        bytes = 0;
      }
      appendFileSync(join(folder, LATEST), text);
      bytes += text.length;
    } catch (error) {
      bytes = undefined;
      if (!hasWarned) warn(`the dashboards miss numbers: ${String(error)}`);
      hasWarned = true;
    }
  };
}

const sampleSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    namespace: v.string(),
    name: v.string(),
    dimensions: v.record(v.string(), v.string()),
    at: v.number(),
    value: v.number(),
  }),
);

/** All samples that are kept. A line that is still being written is skipped, and read the next time. */
export function readSamples(folder: string): Sample[] {
  const lines = [OLDER, LATEST].flatMap((name) => textOf(join(folder, name)).split('\n').slice(0, -1));
  return lines.map((line) => v.parse(sampleSchema, line));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
