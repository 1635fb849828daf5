import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, call } from './stage.ts';

/** Asks as a caller does, until the answer is as wanted; jest ends it where it never is. */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await wait(200);
  }
}

/** What a poll of a video says once its job has ended. */
export const endedVideo = (id: string, key: string): Promise<Answer> =>
  until(
    () => call('GET', `/videos/${id}`, { key }),
    ({ body }) => !['pending', 'in_progress'].includes(body.status),
  );

/** What a poll of a video says once its provider works on it: a cancellation waits for the end of a submit. */
export const startedVideo = (id: string, key: string): Promise<Answer> =>
  until(
    () => call('GET', `/videos/${id}`, { key }),
    ({ body }) => body.status === 'in_progress',
  );
