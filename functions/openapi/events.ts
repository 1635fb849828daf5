import * as v from 'valibot';
import { instant, uuid } from '../http/answer-schemas.ts';
import { shownJobSchema } from '../videos/jobs/job-view.ts';
import { TEST_EVENT } from '../webhooks/events/event.ts';

/** The ends of jobs, as events. */
export const JOB_EVENTS = {
  'video.generation.completed': 'A job has completed, and its video can be downloaded.',
  'video.generation.failed': 'A job has failed. `data.error` says why. The job costs nothing.',
  'video.generation.cancelled':
    'A job was cancelled. The job costs nothing unless the provider reports a charge for it.',
  'video.generation.expired': 'A job did not finish in time. The job costs nothing.',
} as const;

const timeOf = (what: string) => v.pipe(instant, v.description(`Time at which ${what}, in ISO 8601 (UTC)`));

const jobEventSchema = (type: string) =>
  v.object({
    type: v.literal(type),
    timestamp: timeOf('the job ended'),
    data: v.pipe(
      v.intersect([shownJobSchema, v.object({ workspace_id: uuid })]),
      v.description('The job as it was when it ended, without signed links'),
    ),
  });

const testEventSchema = v.object({
  type: v.literal(TEST_EVENT),
  timestamp: timeOf('the test was requested'),
  data: v.pipe(v.object({ workspace_id: uuid }), v.description('The workspace of the webhook')),
});

export const EVENT_SCHEMAS: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(Object.keys(JOB_EVENTS).map((type) => [type, jobEventSchema(type)])),
  [TEST_EVENT]: testEventSchema,
};

/** The name of an event's schema: `VideoGenerationCompletedEvent`. Go would take a name in `Test` for a test. */
export const componentOf = (type: string): string =>
  `${type.replaceAll(/(?:^|[.])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The headers of each delivery. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'ID of the event. The same for every attempt.',
  'webhook-timestamp': 'Time of this attempt, in Unix seconds.',
  'webhook-signature':
    'Signatures, separated by spaces: one `v1,…` for each active signing secret, and one `v1a,…` that the public webhook key of the deployment verifies.',
  'x-webhook-attempt': 'Number of this attempt, from 1 to 11. A redelivery starts again at 1.',
  'x-request-id': 'ID of this request in the logs of the deployment.',
};

/** The headers of some deliveries. */
export const OPTIONAL_EVENT_HEADERS: Readonly<Record<string, string>> = {
  'x-webhook-redelivery': '`true` if this is a redelivery.',
};
