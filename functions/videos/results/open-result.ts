import { EgressRefused } from '../../egress/url-policy.ts';
import { RESULT_PACE } from '../../fair-shares.ts';
import type { ProviderContext, ProviderOutput } from '../providers/provider.ts';
import { pacedBody } from './paced-body.ts';
import { ResultUnavailable } from './result-unavailable.ts';
import { resumedBody } from './resumed-body.ts';
import { UnusableResult } from './unusable-result.ts';

export interface OpenResultPorts extends Pick<ProviderContext, 'fetch' | 'signal' | 'now'> {
  readonly pause: (milliseconds: number) => Promise<void>;
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
  return transfer(pacedBody(resumedBody(first, { ...ports, open }), RESULT_PACE, ports.now));
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
        throw new UnusableResult(`The address of the provider’s result ${cause.message}`, { cause: error });
      }
    }
    throw new ResultUnavailable('The provider’s result could not be downloaded', { cause: error });
  }
}

const answeredWith = ({ status }: Response) =>
  new ResultUnavailable(`The provider answered the download of its result with ${status}`);

/** Tells a transfer that breaks off from a bucket that refuses it. */
async function* transfer(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof UnusableResult || cause instanceof ResultUnavailable) throw cause;
    throw new ResultUnavailable('The download of the provider’s result broke off', { cause });
  }
}
