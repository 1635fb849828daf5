import { type KeyObject, sign } from 'node:crypto';
import { extendedEncodeURIComponent as encoded } from '@smithy/core/protocols';
import { encodedName } from './attachment.ts';
import { DOWNLOAD_SECONDS, type Download, type MakeLink } from './links.ts';

/** Where the stage's downloads are, and the key that CloudFront checks links to them with. */
export interface DownloadsEdge {
  /** Such as `https://d111111abcdef8.cloudfront.net`. */
  readonly url: string;
  /** CloudFront's id of the public half. */
  readonly keyPairId: string;
  /** A private key on P-256. */
  readonly key: () => Promise<KeyObject>;
}

/**
 * Links to CloudFront, with a canned policy signed by ECDSA and SHA-256. AWS' signer for JavaScript is documented for RSA
 * alone; see `docs/decisions/035-downloads.md`.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
 */
export function edgeLinks({ url, keyPairId, key }: DownloadsEdge): MakeLink {
  return async (download, now, seconds = DOWNLOAD_SECONDS) => {
    const resource = `${url}${target(download)}`;
    const expires = Math.floor(now.getTime() / 1000) + seconds;
    const signature = sign('sha256', Buffer.from(cannedPolicy(resource, expires)), await key());
    const query = [
      `Expires=${expires}`,
      `Signature=${inUrl(signature)}`,
      `Key-Pair-Id=${keyPairId}`,
      'Hash-Algorithm=SHA256',
    ].join('&');
    const separator = resource.includes('?') ? '&' : '?';
    return { url: `${resource}${separator}${query}`, expiresAt: new Date(expires * 1000) };
  };
}

/**
 * What the signature is of; CloudFront composes the same text from the request. Sent as a custom policy it would be a
 * pattern, in which `*` means any text, so the address must hold none.
 */
export const cannedPolicy = (resource: string, expires: number): string =>
  `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;

/** The edge makes a file's headers from the name: `lib/downloads/as-attachment.js`. A result is shown as it is stored. */
function target(download: Download): string {
  const path = `/${download.key.split('/').map(encoded).join('/')}`;
  return download.shownAs === 'video' ? path : `${path}?filename=${encodedName(download.filename)}`;
}

/** Base64 with CloudFront's own replacements for what has a meaning in a query. */
const inUrl = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');
