import { extendedEncodeURIComponent as encoded } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { objectAddress } from './object-address.ts';
import type { AwsRole } from './own-role.ts';
import { Sha256 } from './sha256.ts';

/** An object, and what is to be said of it to whoever downloads it. */
export interface Download {
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
  download: Download,
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
