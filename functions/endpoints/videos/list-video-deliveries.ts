import { routeHandler } from '../../deployed/gate.ts';
import { visibleJobs } from '../../deployed/videos.ts';
import { eventStore } from '../../deployed/webhooks.ts';
import { json } from '../../http/response.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';
import { describeDelivery } from '../../webhooks/events/shown-delivery.ts';
import { routes } from './definition.ts';

const events = eventStore();

/** Empty until the job ends, and again once its event has expired. */
const findJob = visibleJobs();

export const handler = routeHandler(routes['list-video-deliveries'], async (call) => {
  const job = await findJob(call);
  const event = await events.find(eventIdOf(job.id));
  return json(200, { data: event === undefined ? [] : [describeDelivery(event)] });
});
