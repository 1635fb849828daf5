import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { errorCode } from '../failure.ts';
import type { Sample } from './series.ts';

/** Room for about a hundred thousand samples. */
const MOST_BYTES = 16 * 1024 * 1024;

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

const latest = (folder: string): string => join(folder, 'latest.jsonl');
const older = (folder: string): string => join(folder, 'older.jsonl');

export interface MetricsFileOptions {
  readonly mostBytes?: number;
  /** Called once if something cannot be kept. @default nobody is told */
  readonly warn?: (text: string) => void;
}

/** Keeps what a run has counted, for its dashboards: everything, or as much as fits into two files. */
export class MetricsFile {
  readonly #folder: string;
  readonly #mostBytes: number;
  #warn: ((text: string) => void) | undefined;
  /** The size of the current file; undefined before the first sample. */
  #bytes: number | undefined;

  constructor(folder: string, { mostBytes = MOST_BYTES, warn }: MetricsFileOptions = {}) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#warn = warn;
  }

  /** Never fails, as a run without its numbers is better than none. They begin anew then, which makes room on a full disk. */
  add(samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    try {
      this.#append(samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
    } catch (error) {
      this.#bytes = undefined;
      this.#warn?.(`the dashboards miss numbers: ${String(error)}`);
      this.#warn = undefined;
    }
  }

  #append(text: string): void {
    this.#bytes ??= this.#begin();
    if (this.#bytes > 0 && this.#bytes + text.length > this.#mostBytes) {
      renameSync(latest(this.#folder), older(this.#folder));
      this.#bytes = 0;
    }
    appendFileSync(latest(this.#folder), text);
    this.#bytes += text.length;
  }

  /** Called at the first sample, because a start that fails must not delete the samples of another run. */
  #begin(): number {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return 0;
  }
}

/** All samples that are kept. A line that is still being written is skipped, and read the next time. */
export function readSamples(folder: string): Sample[] {
  const lines = [older(folder), latest(folder)].flatMap((file) => textOf(file).split('\n').slice(0, -1));
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
