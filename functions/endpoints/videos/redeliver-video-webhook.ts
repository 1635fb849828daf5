import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { Conflict, NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';
import { redeliverEvent } from '../../webhooks/events/redeliver-event.ts';
import { redeliverPorts } from '../webhooks/redeliver-ports.ts';

const { JOBS_TABLE } = readEnvironment({ JOBS_TABLE: v.string() });
const jobs = new JobStore(dynamo, JOBS_TABLE);

export const handler = routeHandler('redeliver-video-webhook', async (call) => {
  const job = await findVisibleJob(call, jobs);
  if (job.phase !== 'settled') throw new Conflict(`The video is ${job.status}; there is no event of it yet`);
  const event = await redeliverPorts.events.find(eventIdOf(job.id));
  if (event === undefined) throw new NotFound('The event of this video is no longer kept');
  return json(202, { data: describeDelivery(await redeliverEvent(event, redeliverPorts)) });
});
