import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/**
 * Runs a file of this folder in a thread and returns the messages that it posts. A hanging expression can only be
 * stopped together with its thread.
 *
 * @throws the thread's error, or an error with its last message if it does not end in time
 */
export async function inAThread(file: string, data: unknown, deadlineMs: number): Promise<unknown[]> {
  const worker = new Worker(join(import.meta.dirname, file), { workerData: data });
  const messages: unknown[] = [];
  worker.on('message', (message) => messages.push(message));
  const inTime = new AbortController();
  const late = setTimeout(deadlineMs, undefined, { signal: inTime.signal });
  const ended = new Promise((resolve, reject) => {
    worker.once('exit', resolve);
    worker.once('error', reject);
  });
  try {
    await Promise.race([
      ended,
      late.then(() => {
        throw new Error(`${file} has not ended after ${deadlineMs} ms; it was at: ${messages.at(-1)}`);
      }),
    ]);
    return messages;
  } finally {
    inTime.abort();
    await late.catch(() => undefined);
    await worker.terminate();
  }
}
