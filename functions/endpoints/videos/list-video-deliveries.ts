import { eventStore } from '../../deployed/webhooks.ts';
import { json } from '../../http/response.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';
import { describeDelivery } from '../../webhooks/events/shown-delivery.ts';
import { routes } from './definition.ts';
import { jobHandler } from './job-handler.ts';

const events = eventStore();

/** Empty until the job ends, and again once its event has expired. */
export const handler = jobHandler(routes['list-video-deliveries'], async (_call, job) => {
  const event = await events.find(eventIdOf(job.id));
  return json(200, { data: event === undefined ? [] : [describeDelivery(event)] });
});
