import * as v from 'valibot';
import { linkQuery, linkSchema } from '../../downloads/link-answer.ts';
import { cursorPageSchema, dataSchema } from '../../http/answer-schemas.ts';
import { keyed, open, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import { shownModelSchema } from '../../videos/catalogue/model-view.ts';
import { videoRequestSchema } from '../../videos/catalogue/video-request.ts';
import { namedVideoField } from '../../videos/dialect/openai-continuation.ts';
import { openaiFields } from '../../videos/dialect/openai-request.ts';
import { openaiVideoSchema, openaiVideosSchema } from '../../videos/dialect/openai-video.ts';
import { jobContentQuery, jobListQuery, jobQuery, submitQuery } from '../../videos/jobs/job-queries.ts';
import {
  deletedJobSchema,
  estimateSchema,
  shownHistorySchema,
  shownJobSchema,
} from '../../videos/jobs/job-view.ts';
import { shownDeliverySchema } from '../../webhooks/events/shown-delivery.ts';

/** A submit of OpenAI's clients as a form. */
const videoForm = ({ prompt, model, size }: typeof videoRequestSchema.entries) =>
  v.pipe(
    v.object({
      prompt,
      model,
      seconds: v.optional(v.string()),
      size,
      input_reference: v.optional(
        v.pipe(v.string(), v.metadata({ format: 'binary' }), v.description('An image: the first frame')),
      ),
      'input_reference[image_url]': v.optional(v.string()),
      'input_reference[file_id]': v.optional(v.string()),
    }),
    v.description('Our own fields may stand beside these; those that are more than text are written as JSON'),
  );

/**
 * What an edit, an extension or a remix says: the fields of a submit, none of which but the prompt is required. Those that
 * name the completed video are said otherwise.
 */
const continued = (
  { model, prompt, previous_job_id: _, continuation: __, ...entries }: typeof videoRequestSchema.entries,
  named: v.ObjectEntries,
) =>
  v.object({
    prompt,
    model: v.optional(v.pipe(model, v.description('Without it, that of the completed video'))),
    ...entries,
    seconds: openaiFields.seconds,
    ...named,
  });

/** The same as a form of OpenAI's clients. */
const continuedForm = ({ prompt }: typeof videoRequestSchema.entries) =>
  v.object({ prompt, 'video[id]': v.string(), seconds: v.optional(v.string()) });

const CONTINUED = {
  idempotencyKey: 'optional',
  query: submitQuery,
  answers: {
    202: {
      says: 'The new job.',
      body: openaiVideoSchema,
      headers: ['location', 'idempotent-replayed'],
    },
  },
  refuses: [402, 404],
} as const;

const OPENAI = 'OpenAI’s clients (`User-Agent: OpenAI/…`) send and get what `x-openai-client` describes.';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'submit-video': keyed('POST', '/videos', 'submit', 'generate'),
  'estimate-video': { ...keyed('POST', '/videos/estimate', 'submit', 'read'), recorded: false },
  'edit-video': keyed('POST', '/videos/edits', 'submit', 'generate'),
  'extend-video': keyed('POST', '/videos/extensions', 'submit', 'generate'),
  'remix-video': keyed('POST', '/videos/{video}/remix', 'submit', 'generate'),
  'list-videos': keyed('GET', '/videos', 'read', 'read'),
  'list-video-models': open('/videos/models'),
  'get-video': keyed('GET', '/videos/{video}', 'read', 'read'),
  'delete-video': keyed('DELETE', '/videos/{video}', 'read', 'generate'),
  'get-video-content': { ...keyed('GET', '/videos/{video}/content', 'read', 'content'), recorded: true },
  'cancel-video': keyed('POST', '/videos/{video}/cancel', 'read', 'generate'),
  'list-video-events': keyed('GET', '/videos/{video}/events', 'read', 'read'),
  'list-video-deliveries': keyed('GET', '/videos/{video}/deliveries', 'read', 'read'),
  'receive-callback': { method: 'POST', path: '/callbacks/{token}', access: 'public' },
  'redeliver-video-webhook': keyed('POST', '/videos/{video}/webhook/redeliver', 'read', 'webhooks'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'submit-video': {
      tag: 'Videos',
      summary: 'Submit a video',
      description:
        'Answers at once with a job; poll it, or name a `callback_url`. What the model cannot do is refused before ' +
        `anything is stored, and what the job may cost is held until it has ended. ${OPENAI} ` +
        'A form is read and answered so too, whoever sends it.',
      idempotencyKey: 'optional',
      query: submitQuery,
      body: videoRequestSchema,
      openai: {
        body: {
          'multipart/form-data': videoForm(videoRequestSchema.entries),
          'application/json': v.intersect([videoRequestSchema, v.object(openaiFields)]),
        },
        answers: { 202: openaiVideoSchema },
      },
      answers: {
        202: {
          says: 'The job.',
          body: shownJobSchema,
          headers: ['location', 'idempotent-replayed'],
        },
      },
      refuses: [402, 404, 503],
    },
    'estimate-video': {
      tag: 'Videos',
      summary: 'Estimate a video',
      description: 'Makes every check of a submit, says what it would hold, and stores nothing.',
      query: submitQuery,
      body: videoRequestSchema,
      answers: { 200: { says: 'The estimate.', body: estimateSchema } },
      refuses: [404, 503],
    },
    'edit-video': {
      tag: 'Videos',
      summary: 'Edit a video',
      description:
        'In the words of OpenAI’s API: a submit with `previous_job_id` and `continuation: edit`. The video is named by ' +
        'its id; a file cannot be edited.',
      body: continued(videoRequestSchema.entries, namedVideoField),
      openai: {
        body: { 'multipart/form-data': continuedForm(videoRequestSchema.entries) },
        answers: { 202: openaiVideoSchema },
      },
      ...CONTINUED,
    },
    'extend-video': {
      tag: 'Videos',
      summary: 'Extend a video',
      description:
        'In the words of OpenAI’s API: a submit with `previous_job_id` and `continuation: extend`. `seconds` is the ' +
        'length of the new part.',
      body: continued(videoRequestSchema.entries, namedVideoField),
      openai: {
        body: { 'multipart/form-data': continuedForm(videoRequestSchema.entries) },
        answers: { 202: openaiVideoSchema },
      },
      ...CONTINUED,
    },
    'remix-video': {
      tag: 'Videos',
      summary: 'Remix a video',
      description: 'In the words of OpenAI’s API: an edit of the video that the path names.',
      body: continued(videoRequestSchema.entries, {}),
      ...CONTINUED,
    },
    'list-videos': {
      tag: 'Videos',
      summary: 'List jobs, newest first',
      description: `The oldest first with \`order=asc\`. ${OPENAI}`,
      query: jobListQuery,
      openai: { answers: { 200: openaiVideosSchema } },
      answers: { 200: { says: 'A page of jobs.', body: cursorPageSchema(shownJobSchema) } },
    },
    'list-video-models': {
      tag: 'Videos',
      summary: 'List the models that can be used here',
      answers: {
        200: {
          says: 'All of them.',
          body: dataSchema(v.array(shownModelSchema)),
          headers: ['cache-control'],
        },
      },
    },
    'get-video': {
      tag: 'Videos',
      summary: 'Poll a job',
      description: `With \`Prefer: wait=20\` the answer comes when the status changes, or after so many seconds, at most 20: at once where the workspace has too many polls that wait, with \`preference-applied: wait=0\`. ${OPENAI}`,
      query: jobQuery,
      headers: {
        Prefer: v.optional(
          v.pipe(
            v.string(),
            v.description(
              '`wait=20`: hold the answer for up to so many seconds, at most 20, until the status changes.',
            ),
          ),
        ),
      },
      openai: { answers: { 200: openaiVideoSchema } },
      answers: {
        200: {
          says: 'The job as it is now.',
          body: shownJobSchema,
          headers: ['retry-after', 'preference-applied'],
        },
      },
      refuses: [404],
    },
    'delete-video': {
      tag: 'Videos',
      summary: 'Delete an ended job',
      description: 'With its results and its inputs.',
      query: jobQuery,
      answers: { 200: { says: 'It is gone.', body: deletedJobSchema } },
      refuses: [404, 409],
    },
    'get-video-content': {
      tag: 'Videos',
      summary: 'Download a result',
      query: { ...jobQuery, ...jobContentQuery, ...linkQuery },
      answers: {
        200: { says: 'With `redirect=false`: where the video is.', body: linkSchema },
        302: {
          says: 'The video is there, for five minutes, without a key; a `Range` is answered there.',
          headers: ['location'],
        },
      },
      refuses: [404, 409, 410],
    },
    'cancel-video': {
      tag: 'Videos',
      summary: 'Cancel a job',
      description:
        'You can repeat the request safely: it returns the same answer. A video that the provider has already finished ' +
        'still completes. A 409 means that the job has ended in another way, or that its provider cannot cancel it.',
      query: jobQuery,
      answers: {
        200: { says: 'It is cancelled.', body: shownJobSchema },
        202: {
          says: 'The provider has not confirmed yet; `cancel_requested_at` is the time of your request.',
          body: shownJobSchema,
        },
      },
      refuses: [404, 409],
    },
    'list-video-events': {
      tag: 'Videos',
      summary: 'Read what a job has been',
      query: jobQuery,
      answers: { 200: { says: 'Each status, with its time.', body: shownHistorySchema } },
      refuses: [404],
    },
    'list-video-deliveries': {
      tag: 'Videos',
      summary: 'Read what became of a job’s webhook',
      query: jobQuery,
      answers: {
        200: {
          says: 'The event of the job’s end; none before that.',
          body: dataSchema(v.array(shownDeliverySchema)),
        },
      },
      refuses: [404],
    },
    'receive-callback': {
      tag: 'Videos',
      summary: 'Tell that a provider’s work has ended',
      description:
        'For providers, which get this address with a submit. It needs no key: its last part can be made only by this ' +
        'deployment. The job’s provider is then asked at once; nothing else follows from a callback, and nothing from ' +
        'the fourth of one submit or one that comes after the job’s end.',
      answers: { 200: { says: 'It was received.', body: v.object({ received: v.literal(true) }) } },
      refuses: [401, 404, 413],
    },
    'redeliver-video-webhook': {
      tag: 'Videos',
      summary: 'Send a job’s webhook again',
      description:
        'Not before the job has ended, nor while an attempt is under way, nor where there is no address to send to.',
      query: jobQuery,
      answers: { 202: { says: 'It is on its way.', body: dataSchema(shownDeliverySchema) } },
      refuses: [404, 409],
    },
  }) as const satisfies Operations<typeof routes>;
