import { extendedEncodeURIComponent as encoded } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './client-settings.ts';
import type { AwsRole } from './own-role.ts';

/**
 * Where S3 has an object: at a host for each bucket, but where something stands in for AWS.
 * @throws for a key with a segment `.` or `..`: addresses lose those, even encoded, and would name another object
 */
export function objectAddress(
  bucket: string,
  key: string,
  { region, endpoint }: Pick<AwsRole, 'region' | 'endpoint'>,
): URL {
  const segments = key.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw new Error(`The object key ${key} cannot be used in a URL`);
  }
  const path = segments.map(encoded).join('/');
  if (endpoint !== undefined) return new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${path}`);
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://${bucket}.s3.${region}.${suffix}/${path}`);
}

/** An object, and what is to be said of it to whoever downloads it. */
export interface S3Download {
  readonly bucket: string;
  readonly key: string;
  readonly contentType?: string;
  readonly contentDisposition?: string;
}

/**
 * The address of one object, signed from `now` on; it answers ranges. It is the one that the SDK makes, without its
 * client of S3, whose code would be most of a small function's.
 */
export async function signDownload(
  role: AwsRole,
  download: S3Download,
  now: Date,
  seconds: number,
): Promise<string> {
  const { region, credentials } = role;
  const url = objectAddress(download.bucket, download.key, role);
  const signing = { service: 's3', region, credentials, sha256: Sha256 };
  const signer = new SignatureV4({ ...signing, applyChecksum: false, uriEscapePath: false });
  const request = {
    method: 'GET',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: {
      ...(download.contentDisposition && { 'response-content-disposition': download.contentDisposition }),
      ...(download.contentType && { 'response-content-type': download.contentType }),
      'x-amz-checksum-mode': 'ENABLED',
      'x-id': 'GetObject',
    },
    headers: { host: url.host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
  };
  const { query = {} } = await signer.presign(request, { expiresIn: seconds, signingDate: now });
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`);
  return `${url.origin}${url.pathname}?${pairs.sort().join('&')}`;
}

interface SigningRole {
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
