import { s3, s3In } from '../../aws/s3.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { contentStore } from '../../deployed/stores.ts';
import { jobStore, videoProviders, visibleJobs } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { json } from '../../http/response.ts';
import { jobPrefixes } from '../../videos/bucket-layout.ts';
import { removeJob } from '../../videos/jobs/remove-job.ts';
import { removeBedrockResults } from '../../videos/results/bedrock-results.ts';
import { StoredObjects } from '../../workspaces/stored-objects.ts';
import { routes } from './definition.ts';

const bucket = setting('resultsBucket');
const jobs = jobStore();
const contents = contentStore();
const findJob = visibleJobs();
const bedrock = { providers: videoProviders(), bucket, clientIn: s3In };

export const handler = routeHandler(routes['delete-video'], async (call) => {
  const job = await findJob(call);
  const objects = new StoredObjects(s3, bucket, () => jobPrefixes(job));
  await removeJob(job, {
    jobs,
    removeObjects: async ({ workspace_id }) => {
      await Array.fromAsync(objects.removeAll(workspace_id));
      await removeBedrockResults(job, bedrock);
    },
    removeLog: async ({ workspace_id, generation_id }) => {
      if (generation_id !== undefined) await contents.remove({ workspace_id, generation_id });
    },
  });
  return json(200, { id: job.id, object: 'video.deleted', deleted: true });
});
