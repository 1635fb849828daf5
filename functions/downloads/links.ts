import { type KeyObject, sign } from 'node:crypto';
import { extendedEncodeURIComponent as encoded } from '@smithy/core/protocols';
import type { AwsRole } from '../aws/own-role.ts';
import { signDownload } from '../aws/signatures.ts';
import { attachment, encodedName } from './attachment.ts';

/** A link that works without a credential until it expires. */
export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** An object, and how it is to be shown to whoever downloads it. */
export type Download = {
  readonly key: string;
  /** From when on nobody may have it, though its bytes are deleted later; no link works longer. */
  readonly goneAt?: Date | undefined;
} & (
  | { readonly shownAs: 'video' | 'picture' }
  /** As plain bytes to save under a name: a browser must never run what a caller uploaded. */
  | { readonly shownAs: 'attachment'; readonly filename: string }
);

/** How long a link works that leads straight to a download. */
const DOWNLOAD_SECONDS = 300;

/** Makes links to the objects of one bucket, valid from `now`. They answer ranges. */
export type MakeLink = (download: Download, now: Date, seconds?: number) => Promise<SignedLink>;

/** Where the stage's downloads are, and the key that CloudFront checks links to them with. */
interface DownloadsEdge {
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
    const expires = Math.floor(now.getTime() / 1000) + lifeOf(download, now, seconds);
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

/** In whole seconds, as both signatures count; S3 takes none below one. */
function lifeOf({ goneAt }: Download, now: Date, seconds: number): number {
  if (goneAt === undefined) return seconds;
  return Math.max(1, Math.min(seconds, Math.floor((goneAt.getTime() - now.getTime()) / 1000)));
}

/** The edge makes a file's headers from the name: `lib/edge/as-attachment.js`. A result is shown as it is stored. */
function target(download: Download): string {
  const path = `/${download.key.split('/').map(encoded).join('/')}`;
  return download.shownAs === 'attachment' ? `${path}?filename=${encodedName(download.filename)}` : path;
}

/** Base64 with CloudFront's own replacements for what has a meaning in a query. */
const inUrl = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('=', '_').replaceAll('/', '~');

/** Links to S3 itself, by the role of whoever makes them. They end with the role's session, if that is sooner. */
export function s3Links(role: AwsRole, bucket: string): MakeLink {
  return async (download, now, seconds = DOWNLOAD_SECONDS) => {
    const life = lifeOf(download, now, seconds);
    return {
      url: await signDownload(role, { bucket, key: download.key, ...headersOf(download) }, now, life),
      expiresAt: new Date(now.getTime() + life * 1000),
    };
  };
}

const headersOf = (download: Download) =>
  download.shownAs === 'attachment'
    ? { contentType: 'application/octet-stream', contentDisposition: attachment(download.filename) }
    : { contentType: TYPES[download.shownAs] };

const TYPES = { video: 'video/mp4', picture: 'image/jpeg' } as const;
