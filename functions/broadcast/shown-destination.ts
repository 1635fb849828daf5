import * as v from 'valibot';
import { instant, url, uuid } from '../http/answer-schemas.ts';
import { KINDS, MASK, METHODS, type StoredDestination } from './destination.ts';
import { filterRulesSchema } from './trace-filter.ts';

const headers = v.pipe(
  v.record(v.string(), v.string()),
  v.description('The headers, each with `********` in place of its value'),
);

/** A workspace's broadcast as answers show it. */
export const shownBroadcastSchema = v.object({
  url: v.nullable(url),
  headers,
  enabled: v.pipe(
    v.boolean(),
    v.description('The `is_observability_broadcast_enabled` of the workspace: whether it broadcasts'),
  ),
  updated_at: v.pipe(
    v.nullable(instant),
    v.description(
      'Time of the last change of the destination or, if there was none, of its creation, in ISO 8601 (UTC). Null if there is no destination',
    ),
  ),
});

export function describeBroadcast(
  destination: StoredDestination | undefined,
  enabled: boolean,
): v.InferOutput<typeof shownBroadcastSchema> {
  return {
    url: destination?.url ?? null,
    headers: destination === undefined ? {} : masked(destination),
    enabled,
    updated_at: destination?.updated_at ?? null,
  };
}

const masked = ({ header_names }: StoredDestination) =>
  Object.fromEntries(header_names.map((name) => [name, MASK]));

/** A destination as OpenRouter's clients read it. */
export const shownDestinationSchema = v.object({
  id: v.pipe(uuid, v.description('ID of the destination, which is the ID of its workspace')),
  workspace_id: uuid,
  type: v.picklist(KINDS),
  name: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Display name. If `PUT /workspaces/{workspace}/broadcast` created the destination, null until you set a name',
    ),
  ),
  config: v.object({
    endpoint: v.optional(
      v.pipe(url, v.description('URL that receives the traces, if `type` is `otel-collector`')),
    ),
    url: v.optional(v.pipe(url, v.description('URL that receives the traces, if `type` is `webhook`'))),
    method: v.optional(v.pipe(v.picklist(METHODS), v.description('HTTP method, if `type` is `webhook`'))),
    headers,
  }),
  enabled: v.boolean(),
  sampling_rate: v.number(),
  api_key_hashes: v.nullable(v.array(v.string())),
  filter_rules: v.nullable(filterRulesSchema),
  broadcast_generation_cost: v.boolean(),
  broadcast_generation_identity: v.boolean(),
  broadcast_generation_cost_allocation: v.literal(false),
  broadcast_generation_request_context: v.literal(false),
  privacy_mode: v.pipe(
    v.literal(true),
    v.description('Always true: traces never contain prompts or results'),
  ),
  regions: v.array(v.literal('global')),
  created_at: instant,
  updated_at: instant,
});

/** What of a destination the audit trail keeps. */
export const AUDITED_OF_DESTINATIONS = [
  'type',
  'enabled',
  'sampling_rate',
  'api_key_hashes',
  'broadcast_generation_cost',
  'broadcast_generation_identity',
] as const;

/** The address in the fields of its kind. */
export function shownConfig(destination: StoredDestination) {
  const { type, url: address, method } = destination;
  const headers = masked(destination);
  return type === 'webhook' ? { url: address, method, headers } : { endpoint: address, headers };
}

export function describeDestination(
  destination: StoredDestination,
): v.InferOutput<typeof shownDestinationSchema> {
  const { url: _, method: _method, header_names: _names, ciphertext: _text, ...settings } = destination;
  return {
    id: destination.workspace_id,
    created_at: destination.updated_at,
    ...settings,
    config: shownConfig(destination),
    broadcast_generation_cost_allocation: false,
    broadcast_generation_request_context: false,
    privacy_mode: true,
    regions: ['global'],
  };
}

/** The outcome of a test. */
export const shownTestSchema = v.object({
  delivered: v.boolean(),
  outcome: v.pipe(v.string(), v.description('Status class such as `2xx`, or a failure such as `timed_out`')),
  status: v.pipe(
    v.nullable(v.number()),
    v.description('HTTP status that the destination returned. Null if Genway received no complete response'),
  ),
  milliseconds: v.number(),
  request_id: v.pipe(
    uuid,
    v.description('ID of the test request, sent to the destination as `x-request-id`'),
  ),
  trace_id: v.pipe(v.string(), v.description('Trace ID of the test span')),
});
