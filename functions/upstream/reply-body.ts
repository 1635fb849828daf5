import { readAtMost } from './read-at-most.ts';

/** Larger than any answer to a submit or a poll. */
const LONGEST_REPLY = 1024 * 1024;

/** The JSON of an answer; undefined where it is not JSON, is cut short, or does not end. */
export async function readBody(response: Response): Promise<unknown> {
  try {
    const bytes = await readAtMost(response.body, LONGEST_REPLY);
    return bytes === undefined ? undefined : JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
