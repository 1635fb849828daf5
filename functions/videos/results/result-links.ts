import type { AwsRole } from '../../aws/own-role.ts';
import { type SignedLink, signDownload } from '../../aws/sign-download.ts';
import type { Job } from '../jobs/job.ts';
import { isGone } from '../jobs/retention.ts';

const SECONDS = 3600;

/** Where results are, and who may let others read them. */
export interface ResultPlace {
  readonly role: AwsRole;
  readonly bucket: string;
}

/** @param seconds for how long it works, where not as long as links do that lead straight to a download */
export function resultLink(
  { role, bucket }: ResultPlace,
  key: string,
  now: Date,
  seconds?: number,
): Promise<SignedLink> {
  return signDownload(role, { bucket, key, contentType: 'video/mp4' }, now, seconds);
}

/**
 * Addresses of a job's results that need no key, each valid for an hour; none while there are no results, or once they
 * are gone.
 */
export async function resultLinks(job: Job, place: ResultPlace, now: Date): Promise<string[] | undefined> {
  if (job.outputs === undefined || isGone(job, now)) return undefined;
  const links = job.outputs.map(({ key }) => resultLink(place, key, now, SECONDS));
  return (await Promise.all(links)).map(({ url }) => url);
}
