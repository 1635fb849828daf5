import { routeHandler } from '../../deployed/gate.ts';
import { visibleJobs } from '../../deployed/videos.ts';
import { extraDeliveries, redeliverPorts } from '../../deployed/webhooks.ts';
import { Conflict, NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';
import { redeliverEvent } from '../../webhooks/events/redeliver-event.ts';
import { describeDelivery } from '../../webhooks/events/shown-delivery.ts';
import { routes } from './definition.ts';

const ports = redeliverPorts();
const takeShare = extraDeliveries('redeliver');
const findJob = visibleJobs();

export const handler = routeHandler(routes['redeliver-video-webhook'], async (call) => {
  const job = await findJob(call);
  if (job.phase !== 'settled')
    throw new Conflict(`The job is ${job.status}; its event is available after the job ends`);
  const event = await ports.events.find(eventIdOf(job.id));
  if (event === undefined)
    throw new NotFound(
      'The event of this job no longer exists; Genway keeps an event for 30 days after its creation or last redelivery',
    );
  await takeShare(job.workspace_id);
  return json(202, { data: describeDelivery(await redeliverEvent(event, ports)) });
});
