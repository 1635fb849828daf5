import type { AwsRole } from '../../aws/own-role.ts';
import { signDownload } from '../../aws/sign-download.ts';
import type { InputObject } from './input-objects.ts';

/** As long as a queue of a provider may take before it fetches; a signature does not outlive our role's session. */
const LINK_SECONDS = 2 * 3600;

export function inputLink(
  role: AwsRole,
  { bucket, key }: InputObject,
  mediaType: string,
  now: Date,
): Promise<string> {
  return signDownload(role, { bucket, key, contentType: mediaType }, now, LINK_SECONDS);
}
