import { EgressRefused } from '../../egress/url-policy.ts';
import { RESULT_PACE } from '../../fair-shares.ts';
import type { ProviderContext, ProviderOutput } from '../providers/provider.ts';

/** A provider's result is not an MP4, or is larger than we accept. */
export class UnusableResult extends Error {
  override readonly name = 'UnusableResult';
}

/** A result that cannot be fetched now: its address has expired, or the transfer broke off for good. */
export class ResultUnavailable extends Error {
  override readonly name = 'ResultUnavailable';
  /** How long to leave it alone; 0 where it may be asked for as soon as usual. */
  readonly retryAfterSeconds: number;

  constructor(
    message: string,
    { cause, retryAfterSeconds = 0 }: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface OpenResultPorts extends Pick<ProviderContext, 'fetch' | 'signal' | 'now'> {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** When the copier's time is over, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Google's addresses redirect once, those of content networks seldom twice. */
const MOST_HOPS = 4;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * The bytes of a result. A transfer that breaks off is resumed, if the server can do that.
 * @throws UnusableResult when the address must not be called
 * @throws ResultUnavailable, here or while the bytes are read, when the result cannot be fetched now
 */
export async function openResult(
  output: ProviderOutput,
  ports: OpenResultPorts,
): Promise<AsyncIterable<Uint8Array>> {
  if (output.kind === 'bytes') return transfer(output.body);
  const open = (more: Record<string, string>) =>
    follow({ ...output, headers: { ...output.headers, ...more } }, ports);
  // A compressed body cannot be resumed. With a range, `fetch` sends this header by itself.
  const first = await open({ 'accept-encoding': 'identity' });
  if (!first.ok || first.body === null) {
    await first.body?.cancel();
    throw answeredWith(first);
  }
  const body = resumedBody(first, { ...ports, open });
  return transfer(pacedBody(body, RESULT_PACE, { ...ports, length: lengthOf(first) }));
}

/** Redirects are followed, because some vendors answer with them; `fetch` checks each hop anew. */
async function follow(
  output: ProviderOutput & { readonly kind: 'url' },
  ports: OpenResultPorts,
): Promise<Response> {
  let url = output.url;
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const response = await guarded(
      ports.fetch(url, { headers: headersFor(url, output), signal: ports.signal }),
    );
    const location = response.headers.get('location');
    if (!REDIRECTS.includes(response.status) || location === null) return response;
    await response.body?.cancel();
    url = URL.parse(location, url)?.href ?? location;
  }
  throw new UnusableResult('The provider keeps redirecting the download of its result');
}

/** These headers go to any server; the provider's own never leave the origin that they are for. */
const OF_TRANSFER = ['accept-encoding', 'range', 'if-range'];

function headersFor(url: string, output: ProviderOutput & { readonly kind: 'url' }): Record<string, string> {
  const headers = Object.entries(output.headers ?? {});
  const isFirstOrigin = URL.parse(url)?.origin === URL.parse(output.url)?.origin;
  return Object.fromEntries(headers.filter(([name]) => isFirstOrigin || OF_TRANSFER.includes(name)));
}

async function guarded(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof EgressRefused) {
        throw new UnusableResult(`The URL of the provider’s result ${cause.message}`, { cause: error });
      }
    }
    throw new ResultUnavailable('The provider’s result could not be downloaded', { cause: error });
  }
}

const answeredWith = ({ status }: Response) =>
  new ResultUnavailable(`The download of the provider’s result returned ${status}`);

/** Tells a transfer that breaks off from a bucket that refuses it. */
async function* transfer(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof UnusableResult || cause instanceof ResultUnavailable) throw cause;
    throw new ResultUnavailable('The download of the provider’s result was interrupted', { cause });
  }
}

interface ResumePorts {
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
async function* resumedBody(
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
  const message = `The server did not send the rest of the result: HTTP status ${status}`;
  throw status === 429 || status >= 500 ? new Error(message) : new CannotResume(message);
}

/** Undefined where the server does not say it, or says it of compressed bytes. */
function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

interface ResultPace {
  /** Of a result whose length is unknown. */
  readonly bytesPerSecond: number;
  /** How long a body may take to come up to its pace. */
  readonly graceMilliseconds: number;
  /** How long a result that did not is left alone. */
  readonly restSeconds: number;
}

interface PacedPorts {
  /** How many bytes come, if that is known. */
  readonly length: number | undefined;
  /** By when they must have come, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly now: () => Date;
}

/**
 * A body that must keep a pace, because a copier waits for it: one at which all of it arrives in time, or a lowest one
 * where its length is unknown. Only the time counts in which the copier waits for bytes, not the time in which it stores
 * them. When its address expires does not matter: servers check that at the beginning of a request.
 * @throws ResultUnavailable when the body comes too slowly
 */
export async function* pacedBody(
  body: AsyncIterable<Uint8Array>,
  { bytesPerSecond, graceMilliseconds, restSeconds }: ResultPace,
  { length, endsAt, now }: PacedPorts,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let waited = 0;
  const isTooSlow = () => {
    if (length === undefined) return received < (bytesPerSecond * waited) / 1000;
    const left = endsAt - now().getTime();
    return received + (received / waited) * left < length;
  };
  let asked = now().getTime();
  for await (const chunk of body) {
    waited += now().getTime() - asked;
    received += chunk.byteLength;
    if (waited >= graceMilliseconds && isTooSlow()) {
      throw new ResultUnavailable('The download of the provider’s result was too slow', {
        retryAfterSeconds: restSeconds,
      });
    }
    yield chunk;
    asked = now().getTime();
  }
}
