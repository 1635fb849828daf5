import * as v from 'valibot';
import { instant, uuid } from '../http/answer-schemas.ts';
import { shownJobSchema } from '../videos/jobs/job-view.ts';
import { TEST_EVENT } from '../webhooks/events/event.ts';

/** The ends of jobs, as events. */
export const JOB_EVENTS = {
  'video.generation.completed': 'The video can be downloaded.',
  'video.generation.failed': '`data.error` says why. It costs nothing.',
  'video.generation.cancelled': 'Somebody cancelled it.',
  'video.generation.expired': 'It was not done by its model’s deadline.',
} as const;

const jobEventSchema = (type: string) =>
  v.object({
    type: v.literal(type),
    timestamp: instant,
    data: v.intersect([shownJobSchema, v.object({ workspace_id: uuid })]),
  });

const testEventSchema = v.object({
  type: v.literal(TEST_EVENT),
  timestamp: instant,
  data: v.object({ workspace_id: uuid }),
});

export const EVENT_SCHEMAS: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(Object.keys(JOB_EVENTS).map((type) => [type, jobEventSchema(type)])),
  [TEST_EVENT]: testEventSchema,
};

/** The name of an event's schema: `VideoGenerationCompleted`. */
export const componentOf = (type: string): string =>
  type.replaceAll(/(?:^|[.])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The headers of each delivery. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'Names the event: the same on every attempt at it.',
  'webhook-timestamp': 'Unix seconds of this attempt.',
  'webhook-signature':
    '`v1,…` for each valid secret and `v1a,…` with the deployment’s key, separated by spaces.',
  'x-webhook-attempt': '1 to 11.',
  'x-request-id': 'Names this one request in our log.',
};

/** The headers of some deliveries. */
export const OPTIONAL_EVENT_HEADERS: Readonly<Record<string, string>> = {
  'x-webhook-redelivery': '`true` where somebody asked for the event to be sent again.',
};
