import { extendedEncodeURIComponent } from '@smithy/core/protocols';
import type { AwsRole } from '../aws/own-role.ts';
import { type SignedLink, signDownload } from '../aws/sign-download.ts';
import { objectKey, type StoredFile } from './file.ts';

/** Always a download of plain bytes: a browser must never run what a caller uploaded. */
export function fileLink(
  role: AwsRole,
  bucket: string,
  { workspace_id, id, filename }: StoredFile,
  now: Date,
): Promise<SignedLink> {
  const download = {
    bucket,
    key: objectKey(workspace_id, id),
    contentType: 'application/octet-stream',
    // Parentheses too, which RFC 8187 does not allow and some clients therefore do not read.
    contentDisposition: `attachment; filename*=UTF-8''${extendedEncodeURIComponent(filename)}`,
  };
  return signDownload(role, download, now);
}
