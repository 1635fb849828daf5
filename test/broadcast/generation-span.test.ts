import { describe, expect, test } from '@jest/globals';
import type { StoredDestination } from '../../functions/broadcast/destination.ts';
import { endedGeneration, generationSpan, testSpan } from '../../functions/broadcast/generation-span.ts';
import { otlpRequest } from '../../functions/broadcast/otlp-request.ts';
import { micros } from '../../functions/money/micros.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { START } from '../videos/jobs/job-fixture.ts';
import { aDestination, END, endedEvent } from './ended-event.ts';
import { decodeSpan } from './otlp-schema.ts';

const textOf = (change: Partial<Job> = {}) =>
  otlpRequest(generationSpan(endedGeneration(endedEvent(change)), undefined, aDestination()));
const sent = (change: Partial<Job> = {}) => decodeSpan(textOf(change));

const nanos = (at: Date) => `${at.getTime()}000000`;
const OK = { code: 0 };
const ERROR = { code: 2 };

test('the span of a completed generation', () => {
  expect(sent()).toEqual({
    traceId: expect.any(String),
    spanId: expect.any(String),
    name: 'generate_content sandbox/clip-1',
    kind: 3,
    startTimeUnixNano: nanos(START),
    endTimeUnixNano: nanos(END),
    attributes: {
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.output.type': 'video',
      'gen_ai.provider.name': 'sandbox',
      'gen_ai.system': 'sandbox',
      'gen_ai.request.model': 'sandbox/clip-1',
      'gen_ai.response.id': 'gen_01jg000000000000000000000b',
      'genway.job.id': 'vid_01jg000000000000000000000a',
      'genway.job.status': 'completed',
      'genway.workspace.id': 'ws-1',
      'genway.duration_seconds': 30.25,
      'genway.cost.estimated_usd': 0.04,
      'genway.cost.usd': 0.03,
      'genway.is_byok': false,
    },
    status: OK,
    flags: 257,
    resource: { 'service.name': 'genway' },
  });
});

describe('what the caller says of a generation', () => {
  const told = { user: 'user-7', session_id: 'chat-1' };
  const tracedBy = (trace: Job['trace'] & object) => sent({ ...told, trace });

  test('is in the span, with names of its own under a prefix', () => {
    const { name, attributes } = tracedBy({ generation_name: 'Opening shot', tier: 3, 'genway.job.id': 'x' });
    expect(name).toBe('Opening shot');
    expect(attributes).toMatchObject({
      'user.id': 'user-7',
      'session.id': 'chat-1',
      'genway.trace.tier': 3,
      'genway.trace.genway.job.id': 'x',
      'genway.job.id': 'vid_01jg000000000000000000000a',
    });
  });

  test('places it in a trace of theirs, under a span of theirs', () => {
    const traceId = '0AF7651916CD43DD8448EB211C80319C';
    const parent = 'b7ad6b7169203331';
    const ids = ({ traceId: trace, parentSpanId }: ReturnType<typeof sent>) => ({ trace, parentSpanId });
    expect(ids(tracedBy({ trace_id: traceId, parent_span_id: parent }))).toEqual({
      trace: traceId.toLowerCase(),
      parentSpanId: parent,
    });
    expect(ids(tracedBy({ trace_id: 'my run' }))).toEqual(ids(tracedBy({ trace_id: 'my run', tier: 1 })));
    expect(ids(tracedBy({ trace_id: 'my run' }))).not.toEqual(ids(tracedBy({ trace_id: 'another' })));
    expect(ids(tracedBy({ trace_id: '0'.repeat(32), parent_span_id: 'x' })).parentSpanId).toBeUndefined();
  });
});

describe('the end of a job', () => {
  const error = { error: 'It said: A fox is not allowed', cost_micros: micros(0) };
  test.each<[string, Partial<Job>, typeof OK, string | undefined]>([
    ['completed', {}, OK, undefined],
    ['cancelled', { status: 'cancelled', error: 'Cancelled', cost_micros: micros(0) }, OK, undefined],
    ['expired', { status: 'expired', ...error }, ERROR, 'timeout'],
    ['failed at the provider', { status: 'failed', ...error }, ERROR, 'provider'],
    [
      'refused by moderation',
      { status: 'failed', ...error, error_kind: { type: 'moderation', retryable: false } },
      ERROR,
      'moderation',
    ],
  ])('%s', (_, change, status, type) => {
    const span = sent(change);
    expect([span.status, span.attributes['error.type']]).toEqual([status, type]);
    expect(span.attributes['genway.job.status']).toBe(change.status ?? 'completed');
  });

  test('before a provider took it: without a generation, at no cost', () => {
    const event = JSON.parse(endedEvent({ status: 'failed', ...error }).body);
    const { generation_id: _, usage: __, ...data } = event.data;
    const { attributes } = generationSpan(
      endedGeneration({ body: JSON.stringify({ ...event, data }) }),
      undefined,
      aDestination(),
    );
    expect(attributes).not.toHaveProperty(['gen_ai.response.id']);
    expect(attributes).toMatchObject({ 'genway.cost.usd': 0 });
  });
});

test('costs, the workspace and the key are told as the destination wants', () => {
  const told = (change: Partial<StoredDestination>) =>
    Object.keys(
      generationSpan(endedGeneration(endedEvent()), 'hash', aDestination(change)).attributes,
    ).filter((name) => /cost|byok|workspace|key/.test(name));
  const without = { broadcast_generation_cost: false, broadcast_generation_identity: false };
  expect(told(without)).toEqual([]);
  expect(told({ ...without, broadcast_generation_identity: true })).toEqual([
    'genway.workspace.id',
    'genway.api_key.hash',
  ]);
  expect(told({ ...without, broadcast_generation_cost: true })).toEqual([
    'genway.cost.estimated_usd',
    'genway.cost.usd',
    'genway.is_byok',
  ]);
});

test.each([
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['gemini-veo', 'gcp.gemini'],
  ['xai', 'x_ai'],
  ['fal', 'fal'],
  ['constructor', 'constructor'],
])('the provider %s is named %s', (provider, name) => {
  const { attributes } = sent({ provider });
  expect([attributes['gen_ai.provider.name'], attributes['gen_ai.system']]).toEqual([name, name]);
});

test('contains neither the prompt, nor a provider’s message, nor the caller’s metadata', () => {
  const text = textOf({
    status: 'failed',
    prompt: 'PLANTED-PROMPT',
    error: 'PLANTED-ERROR',
    metadata: { note: 'PLANTED-NOTE' },
    callback_url: 'https://PLANTED-URL.example/',
  } as Partial<Job>);
  expect(text).not.toContain('PLANTED');
});

test('a test span says that it is one', () => {
  const span = decodeSpan(otlpRequest(testSpan('id', 'ws-1', START)));
  expect(span.attributes).toMatchObject({ 'genway.test': true, 'genway.workspace.id': 'ws-1' });
  expect(span.attributes).not.toHaveProperty(['genway.job.id']);
});
