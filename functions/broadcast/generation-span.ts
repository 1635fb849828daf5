import * as v from 'valibot';
import { defined } from '../defined.ts';
import type { WebhookEvent } from '../webhooks/events/event.ts';
import type { StoredDestination } from './destination.ts';
import { type Attributes, SPAN_STATUS, type Span, spanIds } from './otlp-request.ts';

/** What a trace tells of a generation, taken from the event of its end. The prompt is not part of it. */
const generationSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  status: v.string(),
  model: v.string(),
  provider: v.optional(v.string()),
  generation_id: v.optional(v.string()),
  created_at: v.string(),
  completed_at: v.optional(v.string()),
  estimated_cost: v.number(),
  usage: v.optional(v.object({ cost: v.number(), is_byok: v.boolean() })),
  user: v.optional(v.string()),
  session_id: v.optional(v.string()),
  trace: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  error_details: v.optional(v.object({ type: v.string() })),
});
export type EndedGeneration = Readonly<v.InferOutput<typeof generationSchema>> & {
  readonly ended_at: string;
};

const eventSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ timestamp: v.string(), data: generationSchema }),
  v.transform(
    ({ timestamp, data }): EndedGeneration => ({ ...data, ended_at: data.completed_at ?? timestamp }),
  ),
);

export const endedGeneration = ({ body }: Pick<WebhookEvent, 'body'>): EndedGeneration =>
  v.parse(eventSchema, body);

/** Providers that the conventions know by a name of their own. */
const CONVENTIONAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['gemini-veo', 'gcp.gemini'],
  ['xai', 'x_ai'],
]);

/** What a destination wants to be told. */
type Told = Pick<StoredDestination, 'broadcast_generation_cost' | 'broadcast_generation_identity'>;

const OPERATION = 'generate_content';
/** Ends that are not an error: a caller who cancels got what was asked for. */
const IN_ORDER: readonly string[] = ['completed', 'cancelled'];

/**
 * One span, by OpenTelemetry's conventions for generative AI; attributes that these do not have are under `genway.`.
 * Messages of errors stay out, because a provider's may quote the prompt.
 */
export function generationSpan(
  generation: EndedGeneration,
  keyHash: string | undefined,
  destination: Told,
): Span {
  const isInOrder = IN_ORDER.includes(generation.status);
  const { generation_name: name = `${OPERATION} ${generation.model}` } = generation.trace;
  return {
    of: generation.id,
    ...placeInTrace(generation),
    name: String(name),
    startedAt: new Date(generation.created_at),
    endedAt: new Date(generation.ended_at),
    status: isInOrder ? SPAN_STATUS.unset : SPAN_STATUS.error,
    attributes: {
      ...conventional(generation),
      ...own(generation),
      ...(destination.broadcast_generation_cost ? costs(generation) : {}),
      ...(destination.broadcast_generation_identity ? identity(generation, keyHash) : {}),
      ...ofCaller(generation),
      ...(isInOrder ? {} : { 'error.type': generation.error_details?.type ?? '_OTHER' }),
    },
  };
}

const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/i;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/i;

/** A trace that the caller names otherwise than OpenTelemetry does has an id made from that name. */
function placeInTrace({ workspace_id, trace }: EndedGeneration): Pick<Span, 'traceId' | 'parentSpanId'> {
  const { trace_id: named = '', parent_span_id: parent = '' } = trace;
  const traceId = String(named);
  if (traceId === '') return {};
  return {
    traceId: TRACE_ID.test(traceId) ? traceId.toLowerCase() : spanIds(`${workspace_id}/${traceId}`).traceId,
    ...(SPAN_ID.test(String(parent)) ? { parentSpanId: String(parent).toLowerCase() } : {}),
  };
}

/** What the caller says of itself. Under a prefix, so that no name of theirs is taken for one of ours. */
function ofCaller({ user, session_id, trace }: EndedGeneration): Attributes {
  return {
    ...defined({ 'user.id': user, 'session.id': session_id }),
    ...Object.fromEntries(Object.entries(trace).map(([name, value]) => [`genway.trace.${name}`, value])),
  };
}

function conventional({ model, provider, generation_id: id }: EndedGeneration): Attributes {
  const name = provider === undefined ? undefined : (CONVENTIONAL_NAMES.get(provider) ?? provider);
  return {
    'gen_ai.operation.name': OPERATION,
    'gen_ai.output.type': 'video',
    'gen_ai.request.model': model,
    // The second is the older name of the first, which many receivers still expect.
    ...defined({ 'gen_ai.provider.name': name, 'gen_ai.system': name }),
    ...defined({ 'gen_ai.response.id': id }),
  };
}

function own(generation: EndedGeneration): Attributes {
  const { id, status, created_at, ended_at } = generation;
  return {
    'genway.job.id': id,
    'genway.job.status': status,
    'genway.duration_seconds': (Date.parse(ended_at) - Date.parse(created_at)) / 1000,
  };
}

const costs = ({ estimated_cost, usage }: EndedGeneration): Attributes => ({
  'genway.cost.estimated_usd': estimated_cost,
  // A generation without a cost was free.
  'genway.cost.usd': usage?.cost ?? 0,
  ...defined({ 'genway.is_byok': usage?.is_byok }),
});

const identity = ({ workspace_id }: EndedGeneration, keyHash: string | undefined): Attributes => ({
  'genway.workspace.id': workspace_id,
  ...defined({ 'genway.api_key.hash': keyHash }),
});

/** A span for a test of the destination. It tells of no generation. */
export function testSpan(id: string, workspaceId: string, now: Date): Span {
  return {
    of: id,
    name: `${OPERATION} genway/broadcast-test`,
    startedAt: now,
    endedAt: now,
    status: SPAN_STATUS.unset,
    attributes: {
      'gen_ai.operation.name': OPERATION,
      'gen_ai.output.type': 'video',
      'gen_ai.provider.name': 'genway',
      'gen_ai.system': 'genway',
      'gen_ai.request.model': 'genway/broadcast-test',
      'genway.test': true,
      'genway.workspace.id': workspaceId,
    },
  };
}
