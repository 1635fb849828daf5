import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';
import { EventStore } from '../../webhooks/events/event-store.ts';

const { JOBS_TABLE, EVENTS_TABLE } = readEnvironment({ JOBS_TABLE: v.string(), EVENTS_TABLE: v.string() });
const jobs = new JobStore(dynamo, JOBS_TABLE);
const events = new EventStore(dynamo, EVENTS_TABLE);

/** Empty until the job ends, and again once its event is no longer kept. */
export const handler = routeHandler('list-video-deliveries', async (call) => {
  const { id } = await findVisibleJob(call, jobs);
  const event = await events.find(eventIdOf(id));
  return json(200, { data: event === undefined ? [] : [describeDelivery(event)] });
});
