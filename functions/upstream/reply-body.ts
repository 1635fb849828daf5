import { readAtMost } from './read-at-most.ts';

/** The largest answer that a submit or a poll has a reason to give. */
const LONGEST_REPLY = 1024 * 1024;

/** An answer's JSON; undefined where it is none, is cut short, or does not end. */
export async function readBody(response: Response): Promise<unknown> {
  try {
    const bytes = await readAtMost(response.body, LONGEST_REPLY);
    return bytes === undefined ? undefined : JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
