import { type Attributes, SpanStatusCode } from '@opentelemetry/api';
import type { EndedGeneration } from './generation.ts';
import type { Span } from './otlp-request.ts';

/** Our names of those providers for which the conventions have a name of their own. */
const CONVENTIONAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['bedrock', 'aws.bedrock'],
  ['gemini-veo', 'gcp.gemini'],
  ['xai', 'x_ai'],
]);

const OPERATION = 'generate_content';
/** Ends that are no fault of anybody's: a caller who cancels has had what was asked for. */
const IN_ORDER: readonly string[] = ['completed', 'cancelled'];

/**
 * One span by OpenTelemetry's conventions for generative AI; what these have no name for is under `genway.`.
 * Messages of errors stay out: a provider's may quote the prompt.
 */
export function generationSpan(generation: EndedGeneration): Span {
  const isInOrder = IN_ORDER.includes(generation.status);
  return {
    of: generation.id,
    name: `${OPERATION} ${generation.model}`,
    startedAt: new Date(generation.created_at),
    endedAt: new Date(generation.ended_at),
    status: isInOrder ? SpanStatusCode.UNSET : SpanStatusCode.ERROR,
    attributes: {
      ...conventional(generation),
      ...own(generation),
      ...(isInOrder ? {} : { 'error.type': generation.error_details?.type ?? '_OTHER' }),
    },
  };
}

function conventional({ model, provider, generation_id: id }: EndedGeneration): Attributes {
  const name = provider === undefined ? undefined : (CONVENTIONAL_NAMES.get(provider) ?? provider);
  return {
    'gen_ai.operation.name': OPERATION,
    'gen_ai.output.type': 'video',
    'gen_ai.request.model': model,
    // The second is what the first was called before, and many receivers still look for.
    ...(name === undefined ? {} : { 'gen_ai.provider.name': name, 'gen_ai.system': name }),
    ...(id === undefined ? {} : { 'gen_ai.response.id': id }),
  };
}

function own(generation: EndedGeneration): Attributes {
  const { id, workspace_id, status, created_at, ended_at, estimated_cost, usage } = generation;
  return {
    'genway.job.id': id,
    'genway.job.status': status,
    'genway.workspace.id': workspace_id,
    'genway.duration_seconds': (Date.parse(ended_at) - Date.parse(created_at)) / 1000,
    'genway.cost.estimated_usd': estimated_cost,
    // What has none was free.
    'genway.cost.usd': usage?.cost ?? 0,
    ...(usage === undefined ? {} : { 'genway.is_byok': usage.is_byok }),
  };
}

/** By which a destination shows that it takes what we send. It tells of no generation. */
export function testSpan(id: string, workspaceId: string, now: Date): Span {
  return {
    of: id,
    name: `${OPERATION} genway/broadcast-test`,
    startedAt: now,
    endedAt: now,
    status: SpanStatusCode.UNSET,
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
