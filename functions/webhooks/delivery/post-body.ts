import { defined } from '../../defined.ts';
import { readAtMost } from '../../upstream/read-at-most.ts';
import { retryAfter } from '../../upstream/retry-after.ts';
import { failureOf } from './failure-of.ts';
import type { Answer } from './judge-answer.ts';

export interface PostPorts {
  /** With a deadline over the whole exchange. */
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** What a receiver said beside its status. The body is undefined where it is longer than we read. */
export interface Reply {
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** Enough for any receiver that says more than it must; what is longer is not read. */
export const LONGEST_ANSWER = 64 * 1024;

/**
 * One request, and what came of it. An answer counts when it has ended, or is longer than we read.
 * @param aborts whether the receiver wants nothing more of this
 */
export async function postBody(
  url: string,
  { headers, body }: Message,
  aborts: (reply: Reply) => boolean,
  ports: PostPorts,
): Promise<Answer> {
  const sentAt = ports.now();
  try {
    const response = await ports.fetch(url, { method: 'POST', headers, body });
    const reply = { headers: response.headers, body: await readAtMost(response.body, LONGEST_ANSWER) };
    const asked = retryAfter(response.headers.get('retry-after'), sentAt);
    return {
      status: response.status,
      aborts: aborts(reply),
      ...defined({ retryAfterSeconds: asked }),
    };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
