import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { BODIES } from './bodies.ts';
import { STEPS } from './steps.ts';

/** The whole takes seconds. What is not linear takes hours, so that only this ends it. */
const DEADLINE_MS = 180_000;

const pairs = Object.keys(STEPS).flatMap((step) => Object.keys(BODIES).map((body) => [step, body]));

test(
  'every step comes to the end of every hostile body',
  async () => {
    const worker = new Worker(join(import.meta.dirname, 'run.ts'), { workerData: pairs });
    let reading = 'nothing';
    worker.on('message', (pair: string) => {
      reading = pair;
    });
    const deadline = new AbortController();
    const ended = new Promise<string>((resolve, reject) => {
      worker.once('exit', () => resolve('the end'));
      worker.once('error', reject);
    });
    const late = setTimeout(DEADLINE_MS, undefined, { signal: deadline.signal }).then(() => reading);
    try {
      expect(await Promise.race([ended, late])).toBe('the end');
    } finally {
      deadline.abort();
      await worker.terminate();
      await late.catch(() => undefined);
    }
  },
  DEADLINE_MS + 10_000,
);
