import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, call } from './stage.ts';

/** Repeats a request until the answer is as wanted. Jest's timeout ends it otherwise. */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await wait(200);
  }
}

/** Polls a video until its job has ended. */
export const endedVideo = (id: string, key: string): Promise<Answer> =>
  until(
    () => call('GET', `/videos/${id}`, { key }),
    ({ body }) => !['pending', 'in_progress'].includes(body.status),
  );

/** Polls a video until its provider works on it. A cancellation waits for the end of a submit. */
export const startedVideo = (id: string, key: string): Promise<Answer> =>
  until(
    () => call('GET', `/videos/${id}`, { key }),
    ({ body }) => body.status === 'in_progress',
  );
