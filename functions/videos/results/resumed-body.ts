export interface ResumePorts {
  /** Requests the same file again, with these headers. */
  readonly open: (headers: Record<string, string>) => Promise<Response>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Ends all further attempts. */
  readonly signal: AbortSignal;
}

/** In a row, without a byte in between. */
const MOST_FAILURES = 4;
const FIRST_PAUSE_MILLISECONDS = 500;

/** The server no longer has the file that it began to send. */
class CannotResume extends Error {
  override readonly name = 'CannotResume';
}

/**
 * A body that is requested again from where it broke off (RFC 9110, section 14). Only servers that tell versions of a
 * file apart are asked, because the parts must be of one file.
 * @throws what it broke off with, where it cannot be resumed
 */
export async function* resumedBody(
  first: Response,
  { open, pause, signal }: ResumePorts,
): AsyncGenerator<Uint8Array> {
  const version = versionOf(first);
  let body = first.body ?? undefined;
  let at = 0;
  for (let failures = 0; ; ) {
    try {
      body ??= await restOf(await open({ range: `bytes=${at}-`, 'if-range': version ?? '' }), at);
      for await (const chunk of body) {
        at += chunk.byteLength;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      const isFinal = version === undefined || error instanceof CannotResume || signal.aborted;
      if (isFinal || ++failures > MOST_FAILURES) throw error;
      body = undefined;
      await pause(FIRST_PAUSE_MILLISECONDS * 2 ** failures);
    }
  }
}

/** What proves that a later answer has the same bytes; a weak entity tag does not. */
function versionOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag');
  return tag?.startsWith('"') && !headers.has('content-encoding') ? tag : undefined;
}

/** @throws CannotResume when the server has something else, so that asking again cannot help */
async function restOf({ status, headers, body }: Response, at: number): Promise<NonNullable<typeof body>> {
  const isRest = status === 206 && headers.get('content-range')?.startsWith(`bytes ${at}-`);
  if (isRest && body !== null) return body;
  await body?.cancel();
  if (status === 429 || status >= 500) throw new Error(`The rest was answered with ${status}`);
  throw new CannotResume(`The rest was answered with ${status}`);
}
