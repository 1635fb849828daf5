/** The largest answer that a submit or a poll has a reason to give. */
const LONGEST_REPLY = 1024 * 1024;

/** An answer's JSON; undefined where it is none, is cut short, or does not end. */
export async function readBody(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      if (length > LONGEST_REPLY) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
