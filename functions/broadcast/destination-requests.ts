import * as v from 'valibot';
import { characters, offsetPage, workspaceId } from '../http/validation.ts';
import { KEY_HASH } from '../keys/key-format.ts';
import { configSchema, KINDS } from './destination.ts';
import { filterRulesSchema } from './trace-filter.ts';

const KIND_RULE = `must be one of ${KINDS.join(', ')}; other services take OTLP at an address of their own (decision 027)`;
const RATE_RULE = 'must be from 0.0001 to 1';
const HASHES_RULE = 'must be a list of 1 to 100 hashes of keys, or null for all keys';
const REGION_RULE = 'must be global: a deployment has one region';

const yesOrNo = v.boolean('must be true or false');

const settings = {
  name: characters(1, 200),
  enabled: v.pipe(yesOrNo, v.description('Whether traces are sent to it, while the workspace broadcasts')),
  sampling_rate: v.pipe(v.number(RATE_RULE), v.minValue(0.0001, RATE_RULE), v.maxValue(1, RATE_RULE)),
  api_key_hashes: v.nullable(
    v.pipe(
      v.array(v.pipe(v.string(HASHES_RULE), v.regex(KEY_HASH, HASHES_RULE)), HASHES_RULE),
      v.minLength(1, HASHES_RULE),
      v.maxLength(100, HASHES_RULE),
    ),
  ),
  filter_rules: v.nullable(filterRulesSchema),
  broadcast_generation_cost: yesOrNo,
  broadcast_generation_identity: yesOrNo,
};

/** What clients of other services send too, and has no effect here. */
const without = {
  privacy_mode: v.exactOptional(
    v.pipe(yesOrNo, v.description('No effect: traces never have prompts and results')),
  ),
  regions: v.exactOptional(
    v.pipe(v.array(v.literal('global', REGION_RULE), REGION_RULE), v.minLength(1, REGION_RULE)),
  ),
  broadcast_generation_cost_allocation: v.exactOptional(
    v.literal(false, 'must be false: video jobs have no cost per token'),
  ),
  broadcast_generation_request_context: v.exactOptional(
    v.literal(false, 'must be false: Genway keeps no context of requests'),
  ),
};

/** The body of `POST /observability/destinations`, with the defaults that OpenRouter’s clients state. */
export const newDestinationSchema = v.object({
  type: v.pipe(v.picklist(KINDS, KIND_RULE), v.description('The kind of receiver')),
  name: settings.name,
  config: configSchema,
  workspace_id: v.exactOptional(workspaceId),
  enabled: v.optional(settings.enabled, true),
  sampling_rate: v.optional(settings.sampling_rate, 1),
  api_key_hashes: v.optional(settings.api_key_hashes, null),
  filter_rules: v.optional(settings.filter_rules, null),
  broadcast_generation_cost: v.optional(settings.broadcast_generation_cost, false),
  broadcast_generation_identity: v.optional(settings.broadcast_generation_identity, false),
  ...without,
});
export type NewDestination = v.InferOutput<typeof newDestinationSchema>;

/** In a change `null` clears a field, and an absent field stays as it is. */
export const destinationChangeSchema = v.object({
  name: v.exactOptional(settings.name),
  config: v.exactOptional(configSchema),
  enabled: v.exactOptional(settings.enabled),
  sampling_rate: v.exactOptional(settings.sampling_rate),
  api_key_hashes: v.exactOptional(settings.api_key_hashes),
  filter_rules: v.exactOptional(settings.filter_rules),
  broadcast_generation_cost: v.exactOptional(settings.broadcast_generation_cost),
  broadcast_generation_identity: v.exactOptional(settings.broadcast_generation_identity),
  ...without,
});
export type DestinationChange = v.InferOutput<typeof destinationChangeSchema>;

/** The settings that are stored. */
export function storedSettings<Fields extends Partial<Record<keyof typeof without, unknown>>>(
  fields: Fields,
) {
  const {
    privacy_mode: _privacy,
    regions: _regions,
    broadcast_generation_cost_allocation: _allocation,
    broadcast_generation_request_context: _context,
    ...stored
  } = fields;
  return stored;
}

/** The query of `GET /observability/destinations`. */
export const destinationListQuery = { ...offsetPage, workspace_id: v.optional(workspaceId) };
