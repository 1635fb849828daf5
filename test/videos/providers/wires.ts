import type { AdapterName } from '../../../functions/videos/providers/dialects.ts';

/** How a vendor says what it does. */
export interface Wire {
  readonly base?: string;
  readonly submit: string;
  readonly created: object;
  readonly poll: string;
  /** Its words for the states, in order. */
  readonly words: readonly [queued: string, running: string, succeeded: string, cancelled?: string];
  readonly told: (word: string, url: string) => object;
  /** Where a result has a route of its own. */
  readonly result?: readonly [route: string, told: (url: string) => object];
  readonly cancel?: string;
  /** The status with which it refuses to cancel. */
  readonly refusal?: number;
  /** The read that tests a key, and what a valid one gets. */
  readonly check?: readonly [route: string, status: number, body: object];
}

const ARN = 'arn:aws:bedrock:us-west-2:111122223333:async-invoke/';
const NO_WORK = '00000000-0000-0000-0000-000000000000';
const LUMA = { type: 'video', model: 'model-1', created_at: '2026-11-21T10:00:00Z' };
const OPERATIONS = 'models/model-1/operations/';

/** Everything but the sandbox, which is no other service. */
export type VendorName = Exclude<AdapterName, 'sandbox'>;

/** A table, which reads better whole: what each vendor says of the work with this id, and where. */
export const wiresFor = (id: string): Readonly<Record<VendorName, Wire>> => ({
  'openai-videos': {
    check: ['GET /v1/videos?limit=1', 200, { object: 'list', data: [] }],
    base: '/v1',
    submit: 'POST /v1/videos',
    created: { id },
    poll: `GET /v1/videos/${id}`,
    words: ['queued', 'in_progress', 'completed'],
    told: (status, url) => ({ id, status, url }),
    cancel: `DELETE /v1/videos/${id}`,
    refusal: 404,
  },
  fal: {
    check: [`GET /fal-ai/flux/requests/${NO_WORK}/status`, 404, { status: 'NOT_FOUND' }],
    submit: 'POST /model-1',
    created: { request_id: id },
    poll: `GET /model-1/requests/${id}/status`,
    words: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'],
    told: (status) => ({ status }),
    result: [`GET /model-1/requests/${id}`, (url) => ({ video: { url } })],
    cancel: `PUT /model-1/requests/${id}/cancel`,
    refusal: 400,
  },
  replicate: {
    check: ['GET /v1/account', 200, { type: 'organization', username: 'acme' }],
    base: '/v1',
    submit: 'POST /v1/models/model-1/predictions',
    created: { id },
    poll: `GET /v1/predictions/${id}`,
    words: ['starting', 'processing', 'succeeded', 'canceled'],
    told: (status, output) => ({ id, status, output }),
    cancel: `POST /v1/predictions/${id}/cancel`,
    refusal: 422,
  },
  gemini: {
    check: ['GET /v1/models?pageSize=1', 200, { models: [{ name: 'models/omni' }] }],
    base: '/v1',
    submit: 'POST /v1/interactions',
    created: { id },
    poll: `GET /v1/interactions/${id}?include_input=false`,
    words: ['queued', 'in_progress', 'completed', 'cancelled'],
    told: (status, uri) => ({
      id,
      status,
      steps: [{ type: 'model_output', content: [{ type: 'video', uri }] }],
    }),
    cancel: `POST /v1/interactions/${id}/cancel`,
    refusal: 400,
  },
  'gemini-veo': {
    check: ['GET /v1beta/models?pageSize=1', 200, { models: [{ name: 'models/veo' }] }],
    base: '/v1beta',
    submit: 'POST /v1beta/models/model-1:predictLongRunning',
    created: { name: `${OPERATIONS}${id}` },
    poll: `GET /v1beta/${OPERATIONS}${id}`,
    words: ['', '', 'done'],
    told: (word, uri) => ({
      name: `${OPERATIONS}${id}`,
      done: word === 'done',
      response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
    }),
  },
  bedrock: {
    submit: 'POST /async-invoke',
    created: { invocationArn: `${ARN}${id}` },
    poll: `GET /async-invoke/${encodeURIComponent(`${ARN}${id}`)}`,
    words: ['InProgress', 'InProgress', 'Completed'],
    told: (status) => ({
      invocationArn: `${ARN}${id}`,
      modelArn: 'arn:aws:bedrock:us-west-2::foundation-model/model-1',
      submitTime: '2026-11-21T10:00:00Z',
      status,
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://results/${id}` } },
    }),
  },
  byteplus: {
    check: ['GET /api/v3/contents/generations/tasks?page_size=1', 200, { items: [], total: 0 }],
    base: '/api/v3',
    submit: 'POST /api/v3/contents/generations/tasks',
    created: { id },
    poll: `GET /api/v3/contents/generations/tasks/${id}`,
    words: ['queued', 'running', 'succeeded', 'cancelled'],
    told: (status, video_url) => ({ id, status, content: { video_url } }),
    cancel: `DELETE /api/v3/contents/generations/tasks/${id}`,
    refusal: 409,
  },
  runway: {
    check: ['GET /v1/organization', 200, { tier: {}, creditBalance: 100 }],
    base: '/v1',
    submit: 'POST /v1/text_to_video',
    created: { id },
    poll: `GET /v1/tasks/${id}`,
    words: ['PENDING', 'RUNNING', 'SUCCEEDED'],
    told: (status, url) => ({ id, status, output: [url] }),
    cancel: `DELETE /v1/tasks/${id}`,
    refusal: 404,
  },
  xai: {
    check: ['GET /v1/api-key', 200, { api_key_id: 'k1', api_key_blocked: false, api_key_disabled: false }],
    base: '/v1',
    submit: 'POST /v1/videos/generations',
    created: { request_id: id },
    poll: `GET /v1/videos/${id}`,
    words: ['pending', 'pending', 'done'],
    told: (status, url) => ({ status, video: { url } }),
  },
  minimax: {
    check: ['GET /v2/query/video_generation?page_num=1&page_size=1', 200, { items: null, total: 0 }],
    submit: 'POST /v2/video_generation',
    created: { task_id: id },
    poll: `GET /v2/query/video_generation/${id}`,
    words: ['queued', 'running', 'succeeded', 'cancelled'],
    told: (status, url) => ({ task: { id, status, content: { url } } }),
    cancel: `DELETE /v2/video_generation/${id}`,
    refusal: 400,
  },
  dashscope: {
    check: [`GET /api/v1/tasks/${NO_WORK}`, 200, { output: { task_id: NO_WORK, task_status: 'UNKNOWN' } }],
    base: '/api/v1',
    submit: 'POST /api/v1/services/aigc/video-generation/video-synthesis',
    created: { output: { task_id: id, task_status: 'PENDING' } },
    poll: `GET /api/v1/tasks/${id}`,
    words: ['PENDING', 'RUNNING', 'SUCCEEDED', 'CANCELED'],
    told: (task_status, video_url) => ({ output: { task_id: id, task_status, video_url } }),
    cancel: `POST /api/v1/tasks/${id}/cancel`,
    refusal: 400,
  },
  kling: {
    check: ['GET /v1/videos/text2video?pageSize=1', 200, { code: 0, message: 'SUCCEED', data: [] }],
    submit: 'POST /v1/videos/text2video',
    created: { code: 0, data: { task_id: id } },
    poll: `GET /v1/videos/text2video/${id}`,
    words: ['submitted', 'processing', 'succeed'],
    told: (task_status, url) => ({
      code: 0,
      data: { task_id: id, task_status, task_result: { videos: [{ url }] } },
    }),
  },
  luma: {
    check: ['GET /v1/files?limit=1', 200, { data: [], has_more: false, next_cursor: null }],
    base: '/v1',
    submit: 'POST /v1/generations',
    created: { ...LUMA, id, state: 'queued' },
    poll: `GET /v1/generations/${id}`,
    words: ['queued', 'processing', 'completed'],
    told: (state, url) => ({ ...LUMA, id, state, output: [{ type: 'video', url }] }),
  },
  wavespeed: {
    check: ['GET /api/v3/balance', 200, { code: 200, data: { balance: 12.5 } }],
    base: '/api/v3',
    submit: 'POST /api/v3/model-1',
    created: { code: 200, data: { id, status: 'created' } },
    poll: `GET /api/v3/predictions/${id}/result`,
    words: ['created', 'processing', 'completed'],
    told: (status, url) => ({ code: 200, data: { id, status, outputs: [url] } }),
  },
});
