import { s3 } from '../../aws/s3.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { contentStore } from '../../deployed/stores.ts';
import { jobStore, visibleJobs } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { json } from '../../http/response.ts';
import { jobPrefixes } from '../../videos/bucket-layout.ts';
import { removeJob } from '../../videos/jobs/remove-job.ts';
import { StoredObjects } from '../../workspaces/stored-objects.ts';
import { routes } from './definition.ts';

const bucket = setting('resultsBucket');
const jobs = jobStore();
const contents = contentStore();
const findJob = visibleJobs();

export const handler = routeHandler(routes['delete-video'], async (call) => {
  const job = await findJob(call);
  const objects = new StoredObjects(s3, bucket, () => jobPrefixes(job));
  await removeJob(job, {
    jobs,
    removeObjects: async ({ workspace_id }) => {
      while (await objects.removeSome(workspace_id));
    },
    removeLog: async ({ workspace_id, generation_id }) => {
      if (generation_id !== undefined) await contents.remove({ workspace_id, generation_id });
    },
  });
  return json(200, { id: job.id, object: 'video.deleted', deleted: true });
});
