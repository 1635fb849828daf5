import { EgressRefused } from '../../egress/url-policy.ts';
import type { ProviderContext, ProviderOutput } from '../providers/provider.ts';
import { UnusableResult } from './result-store.ts';

/** A result that cannot be had just now: its address has expired, or the transfer broke off. */
export class ResultUnavailable extends Error {
  override readonly name = 'ResultUnavailable';
}

/** Google's addresses redirect once, content networks seldom twice. */
const MOST_HOPS = 4;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * The bytes of a result. Redirects are followed, because some vendors answer with them; each hop passes the
 * guard of `fetch` anew, and headers do not leave the origin that they are for.
 * @throws UnusableResult when the address may not be reached; ResultUnavailable, here or while the bytes are
 *   read, when it cannot be just now
 */
export async function openResult(
  output: ProviderOutput,
  { fetch, signal }: Pick<ProviderContext, 'fetch' | 'signal'>,
): Promise<AsyncIterable<Uint8Array>> {
  if (output.kind === 'bytes') return transfer(output.body);
  let url = output.url;
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const isFirstOrigin = URL.parse(url)?.origin === URL.parse(output.url)?.origin;
    const response = await guarded(
      fetch(url, { headers: isFirstOrigin ? { ...output.headers } : {}, signal }),
    );
    const location = response.headers.get('location');
    if (!REDIRECTS.includes(response.status) || location === null) return transfer(bodyOf(response));
    await response.body?.cancel();
    url = URL.parse(location, url)?.href ?? location;
  }
  throw new UnusableResult('The provider keeps redirecting the download of its result');
}

async function guarded(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof EgressRefused) {
        throw new UnusableResult(`The address of the provider’s result ${cause.message}`, { cause: error });
      }
    }
    throw new ResultUnavailable('The provider’s result could not be downloaded', { cause: error });
  }
}

function bodyOf(response: Response): AsyncIterable<Uint8Array> {
  if (response.ok && response.body !== null) return response.body;
  throw new ResultUnavailable(`The provider answered the download of its result with ${response.status}`);
}

/** Tells a transfer that breaks off from a bucket that does not take it. */
async function* transfer(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new ResultUnavailable('The download of the provider’s result broke off', { cause });
  }
}
