import { readAtMost } from '../byte-streams.ts';

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

/** The longest form of a date has 33 characters. */
const LONGEST = 64;

/** The header as whole seconds, from either of its forms (RFC 9110 §10.2.3); undefined for anything else. */
export function retryAfter(header: string | null, now: Date): number | undefined {
  if (header === null || header.length > LONGEST) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
