import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './sha256.ts';

export interface SigningRole {
  readonly region: string;
  readonly credentials: ConstructorParameters<typeof SignatureV4>[0]['credentials'];
  readonly now: () => Date;
}

/**
 * `fetch` with a role's signature, for an API of AWS that is called like any other provider: one attempt, through the
 * egress, with the caller telling its failures apart. The SDK's clients would retry by themselves. Bodies must be
 * strings.
 * @param service the name that the service signs by
 */
export function signedFetch(
  send: typeof fetch,
  service: string,
  { region, credentials, now }: SigningRole,
): typeof fetch {
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: false });
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { host, ...headers } = await signedHeaders(signer, url, init, now());
    return send(url, { ...init, headers });
  };
}

async function signedHeaders(
  signer: SignatureV4,
  url: URL,
  { method = 'GET', headers, body }: RequestInit,
  signingDate: Date,
): Promise<Record<string, string>> {
  const request = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { ...Object.fromEntries(new Headers(headers)), host: url.host },
    body,
  };
  const signed = await signer.sign(request, { signingDate });
  return signed.headers;
}
