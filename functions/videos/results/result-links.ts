import type { Job } from '../jobs/job.ts';
import { isGone } from '../jobs/retention.ts';

const SECONDS = 3600;

/**
 * Addresses of a job's results that need no key, each valid for an hour; none while there are no results, or once they
 * are gone. The code that signs them is loaded with the first result, because most polls come before it.
 */
export async function resultLinks(job: Job, bucket: string, now: Date): Promise<string[] | undefined> {
  if (job.outputs === undefined || isGone(job, now)) return undefined;
  const [{ s3 }, { signDownload }] = await Promise.all([
    import('../../aws/s3.ts'),
    import('../../aws/sign-download.ts'),
  ]);
  const links = job.outputs.map(({ key }) =>
    signDownload(s3, { Bucket: bucket, Key: key, ResponseContentType: 'video/mp4' }, now, SECONDS),
  );
  return (await Promise.all(links)).map(({ url }) => url);
}
