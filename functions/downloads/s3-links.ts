import type { AwsRole } from '../aws/own-role.ts';
import { signDownload } from '../aws/sign-download.ts';
import { attachment } from './attachment.ts';
import { DOWNLOAD_SECONDS, type Download, type MakeLink } from './links.ts';

/** Links to S3 itself, by the role of whoever makes them. They end with the role's session, if that is sooner. */
export function s3Links(role: AwsRole, bucket: string): MakeLink {
  return async (download, now, seconds = DOWNLOAD_SECONDS) => ({
    url: await signDownload(role, { bucket, key: download.key, ...headersOf(download) }, now, seconds),
    expiresAt: new Date(now.getTime() + seconds * 1000),
  });
}

const headersOf = (download: Download) =>
  download.shownAs === 'video'
    ? { contentType: 'video/mp4' }
    : { contentType: 'application/octet-stream', contentDisposition: attachment(download.filename) };
