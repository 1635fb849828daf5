import { batchHandler } from '../../aws/consumers.ts';
import { systemClock } from '../../clock.ts';
import { deliverPorts, overdueEvents } from '../../deployed/webhooks.ts';
import { stepOrLeave } from '../../sweeping/swept-rows.ts';
import { log } from '../../telemetry/logger.ts';
import { deliverEvent } from '../../webhooks/delivery/deliver-event.ts';
import { eventMessageSchema } from '../../webhooks/events/event-queue.ts';

const ports = deliverPorts();
const leaving = { sweptRows: overdueEvents(), now: systemClock, log };

export const handler = batchHandler(eventMessageSchema, { log, now: systemClock }, (message) =>
  stepOrLeave(message.event_id, () => deliverEvent(message, ports), leaving),
);
