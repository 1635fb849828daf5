import * as v from 'valibot';
import { linkQuery, linkSchema } from '../../downloads/link-answer.ts';
import { HELD_POLLS } from '../../fair-shares.ts';
import { cursorPageSchema, dataSchema } from '../../http/answer-schemas.ts';
import { keyed, open, routesOf } from '../../http/routes.ts';
import { workspaceId } from '../../http/validation.ts';
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
import { VIDEO_ID } from '../../videos/video-id.ts';
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
        v.pipe(
          v.string(),
          v.metadata({ format: 'binary' }),
          v.description('An image that becomes the first frame'),
        ),
      ),
      'input_reference[image_url]': v.optional(v.string()),
      'input_reference[file_id]': v.optional(v.string()),
    }),
    v.description('You can add any field of the JSON request. Write objects and arrays as JSON'),
  );

/** A completed video is continued in its own workspace. */
const OF_VIDEO = 'ID or slug of the workspace that the completed video must belong to';
const continuedQuery = { workspace_id: v.exactOptional(v.pipe(workspaceId, v.description(OF_VIDEO))) };

/** What names the completed video otherwise, and what is refused beside one. */
const NOT_CONTINUED = ['previous_job_id', 'continuation', 'frame_images', 'input_references'] as const;

/**
 * What an edit, an extension or a remix says: the fields of a submit, none of which but the prompt is required.
 */
const continued = ({ model, prompt, ...others }: typeof videoRequestSchema.entries, named: v.ObjectEntries) =>
  v.object({
    prompt,
    model: v.optional(
      v.pipe(model, v.description('ID of the model or endpoint. Defaults to that of the completed video')),
    ),
    ...v.omit(v.object(others), NOT_CONTINUED).entries,
    ...continuedQuery,
    seconds: openaiFields.seconds,
    ...named,
  });

/** The same as a form of OpenAI's clients. */
const continuedForm = ({ prompt }: typeof videoRequestSchema.entries) =>
  v.object({ prompt, 'video[id]': v.string(), seconds: v.optional(v.string()) });

const CONTINUED = {
  idempotencyKey: 'optional',
  query: continuedQuery,
  answers: {
    202: {
      says: 'The new job, always in the format of OpenAI’s API.',
      body: openaiVideoSchema,
      headers: ['location', 'idempotent-replayed'],
    },
  },
  refuses: [402, 404, 503],
} as const;

const OPENAI =
  'OpenAI’s clients and LiteLLM (a `User-Agent` of `OpenAI/…`, `AsyncOpenAI/…` or `litellm/…`) get responses in OpenAI’s format: see the extension `x-openai-client` of this operation in the OpenAPI document.';

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
      summary: 'Create a video',
      description: `Creates a job and returns it immediately. Poll the job, or give a \`callback_url\` to be notified when it ends. If the model does not support the request, Genway refuses it before anything is stored. Unsupported kinds of \`input_references\` are not refused: they have no effect. Genway holds up to \`max_cost\` until the job has ended. For a job that can run only on your own provider keys, Genway holds money only against limits that count such jobs. You can also send a multipart form in OpenAI’s format. The returned job then has OpenAI’s format too. ${OPENAI}`,
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
      summary: 'Estimate the cost of a video',
      description:
        'Checks the request as a submission does, and returns its price and whether the request fits within all spending limits. Creates no job and no hold.',
      query: submitQuery,
      body: videoRequestSchema,
      answers: { 200: { says: 'The estimate.', body: estimateSchema } },
      refuses: [404, 503],
    },
    'edit-video': {
      tag: 'Videos',
      summary: 'Edit a video',
      description:
        'Creates a job that edits a completed video. Compatible with OpenAI’s API. The same as a submission with `previous_job_id` and `continuation: edit`. Identify the video by its ID; you cannot upload it.',
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
        'Creates a job that extends a completed video. Compatible with OpenAI’s API. The same as a submission with `previous_job_id` and `continuation: extend`. `seconds` is the duration of the new part.',
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
      description:
        'Creates a job that edits the completed video whose ID is in the path. Compatible with OpenAI’s API.',
      path: {
        video: v.pipe(v.string(), v.regex(VIDEO_ID), v.description('ID of the completed video (`vid_…`)')),
      },
      body: continued(videoRequestSchema.entries, {}),
      ...CONTINUED,
    },
    'list-videos': {
      tag: 'Videos',
      summary: 'List videos',
      description: `Returns the jobs of a workspace, newest first. With \`order=asc\`, oldest first. With \`status\`, \`model\` or \`key\`, a page may be empty even if \`has_more\` is true. ${OPENAI}`,
      query: jobListQuery,
      openai: { answers: { 200: openaiVideosSchema } },
      answers: { 200: { says: 'A page of jobs.', body: cursorPageSchema(shownJobSchema) } },
    },
    'list-video-models': {
      tag: 'Videos',
      summary: 'List video models',
      description: 'Returns the models that this deployment offers, with their limits, prices and endpoints.',
      answers: {
        200: {
          says: 'The models.',
          body: dataSchema(v.array(shownModelSchema)),
          headers: ['cache-control'],
        },
      },
    },
    'get-video': {
      tag: 'Videos',
      summary: 'Get a video',
      description: `Returns a job. With \`Prefer: wait=20\`, the response waits until the status changes or the job has ended, for at most 20 seconds. After ${HELD_POLLS} such requests in a minute for the jobs of one workspace, Genway responds immediately, with \`preference-applied: wait=0\`. ${OPENAI}`,
      query: jobQuery,
      headers: {
        Prefer: v.optional(
          v.pipe(
            v.string(),
            v.description(
              '`wait=20` delays the response until the status changes or the job has ended, for at most 20 seconds. A longer wait counts as 20 seconds.',
            ),
          ),
        ),
      },
      openai: { answers: { 200: openaiVideoSchema } },
      answers: {
        200: {
          says: 'The current state of the job.',
          body: shownJobSchema,
          headers: ['retry-after', 'preference-applied'],
        },
      },
      refuses: [404],
    },
    'delete-video': {
      tag: 'Videos',
      summary: 'Delete a video',
      description:
        'Deletes a job that has ended, with its prompt, inline images, results and log. Uploaded files and the webhook event stay.',
      query: jobQuery,
      answers: { 200: { says: 'The job is deleted.', body: deletedJobSchema } },
      refuses: [404, 409],
    },
    'get-video-content': {
      tag: 'Videos',
      summary: 'Download a video',
      description:
        'Redirects to a result of a completed job, or to a preview of it. With `redirect=false`, returns the link instead.',
      query: { ...jobQuery, ...jobContentQuery, ...linkQuery },
      answers: {
        200: { says: 'With `redirect=false`, the link to the result or the preview.', body: linkSchema },
        302: {
          says: 'Redirects to the result or the preview. The link needs no key, expires after at most five minutes, and supports the header `Range`.',
          headers: ['location'],
        },
      },
      refuses: [404, 409, 410],
    },
    'cancel-video': {
      tag: 'Videos',
      summary: 'Cancel a video',
      description:
        'Cancels a job. Repeating the request has no further effect. If the provider has already finished the video, the job still completes. A 409 means that the job has already ended without being cancelled, or that its provider cannot, or can no longer, cancel it.',
      query: jobQuery,
      answers: {
        200: { says: 'The job is cancelled.', body: shownJobSchema },
        202: {
          says: 'The provider has not yet confirmed the cancellation. `cancel_requested_at` is the time of the first request to cancel.',
          body: shownJobSchema,
        },
      },
      refuses: [404, 409],
    },
    'list-video-events': {
      tag: 'Videos',
      summary: 'List a job’s events',
      description:
        'Returns the status changes of a job, and its moves to other endpoints or accounts. Of several moves from the same endpoint and account, only the first is included.',
      query: jobQuery,
      answers: { 200: { says: 'The events, oldest first.', body: shownHistorySchema } },
      refuses: [404],
    },
    'list-video-deliveries': {
      tag: 'Videos',
      summary: 'List a job’s webhook deliveries',
      description: 'Returns the event that reports the end of the job, with the attempts to deliver it.',
      query: jobQuery,
      answers: {
        200: {
          says: 'A list with the delivery of the event. The list is empty until the job has ended, and once the event has expired: 30 days after its creation or last redelivery.',
          body: dataSchema(v.array(shownDeliverySchema)),
        },
      },
      refuses: [404],
    },
    'receive-callback': {
      tag: 'Videos',
      summary: 'Receive a provider’s callback',
      description:
        'Receives a callback from a provider. If Genway asks a provider to call back, it sends this URL with the submission. No key is needed, because only this deployment can create the token in the URL. After a callback, Genway polls the provider. Genway ignores callbacks for jobs that have ended, callbacks for submissions other than the job’s current one, and callbacks that report unfinished work. Of the other callbacks for a submission, only the first three have an effect.',
      answers: { 200: { says: 'The callback was received.', body: v.object({ received: v.literal(true) }) } },
      refuses: [401, 404, 413],
    },
    'redeliver-video-webhook': {
      tag: 'Videos',
      summary: 'Redeliver a job’s webhook event',
      description:
        'Sends the event of an ended job again. Genway refuses this while an attempt is in progress, or if the job has no callback URL and the default callback URL is missing or disabled.',
      query: jobQuery,
      answers: { 202: { says: 'The delivery is queued.', body: dataSchema(shownDeliverySchema) } },
      refuses: [404, 409],
    },
  }) as const satisfies Operations<typeof routes>;
