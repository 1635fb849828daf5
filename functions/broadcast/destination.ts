import * as v from 'valibot';
import { characters, jsonObject, offsetPage, PUBLIC_URL, workspaceId } from '../http/validation.ts';
import { KEY_HASH } from '../keys/key-format.ts';
import { filterRulesSchema } from './trace-filter.ts';

/** Shown in place of every header's value. */
export const MASK = '********';

/** Headers that the request itself sets. */
const RESERVED: readonly string[] = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-request-id',
];

const NAME_RULE = 'its name must be an HTTP token of at most 64 characters, such as x-api-key';
const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, NAME_RULE),
  v.check(
    (name) => !RESERVED.includes(name.toLowerCase()),
    `its name must not be one of ${RESERVED.join(', ')}`,
  ),
);

const VALUE_RULE = 'must be 1 to 2048 characters: visible ASCII, and spaces except at the start and end';
const headerValue = v.pipe(
  v.string(VALUE_RULE),
  v.maxLength(2048, VALUE_RULE),
  v.regex(/^[!-~]+(?: +[!-~]+)*$/, VALUE_RULE),
);
export const MASK_RULE = 'must be the value itself, not the placeholder that responses contain';
const unmasked = v.pipe(headerValue, v.notValue(MASK, MASK_RULE));

/** KMS encrypts up to 4 KiB in one call. */
const LONGEST_HEADERS = 4096;

const headersOf = (value: typeof headerValue | typeof unmasked) =>
  v.pipe(
    jsonObject(
      v.pipe(
        v.record(headerName, value),
        v.maxEntries(20, 'must have at most 20 headers'),
        v.description(
          'Headers to send with each trace, at most 4,096 bytes in total as JSON. Genway stores their values encrypted',
        ),
      ),
    ),
    v.check(
      (headers) =>
        new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
      'must not contain a header twice; header names are case-insensitive',
    ),
    v.check(
      // JSON writes a control character in six bytes, so text that is too long anyway is not written.
      (headers) =>
        Object.entries(headers).flat().join('').length <= LONGEST_HEADERS &&
        Buffer.byteLength(JSON.stringify(headers)) <= LONGEST_HEADERS,
      `must be at most ${LONGEST_HEADERS} bytes in total, as JSON`,
    ),
    v.transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  );
export type TraceHeaders = Readonly<v.InferOutput<ReturnType<typeof headersOf>>>;

const address = v.pipe(
  v.string('must be an https URL'),
  v.metadata({ format: 'uri' }),
  v.description(
    `URL to send traces to. ${PUBLIC_URL}. Genway does not add a path; most receivers expect \`/v1/traces\``,
  ),
);

/** The body of `PUT /workspaces/{id}/broadcast`. It replaces the address and the headers. */
export const destinationSchema = v.object({ url: address, headers: v.optional(headersOf(unmasked), {}) });

/** The kinds of destinations: both get the same body, and differ in who judges the answer. */
export const KINDS = ['otel-collector', 'webhook'] as const;
export const METHODS = ['POST', 'PUT'] as const;

/** The address of a destination as OpenRouter's clients write it. Which fields it has depends on the kind. */
const configSchema = v.object({
  endpoint: v.exactOptional(
    v.pipe(
      address,
      v.description(`URL that receives the traces, if \`type\` is \`otel-collector\`. ${PUBLIC_URL}`),
    ),
  ),
  url: v.exactOptional(
    v.pipe(address, v.description(`URL that receives the traces, if \`type\` is \`webhook\`. ${PUBLIC_URL}`)),
  ),
  method: v.exactOptional(
    v.pipe(
      v.picklist(METHODS, 'must be POST or PUT'),
      v.description('HTTP method, if `type` is `webhook`. A new destination has `POST` by default'),
    ),
  ),
  headers: v.exactOptional(headersOf(headerValue)),
});
export type Config = v.InferOutput<typeof configSchema>;

/** Rows of earlier versions have no settings beyond the address, and broadcast everything. */
export const storedDestinationSchema = v.object({
  workspace_id: v.string(),
  type: v.optional(v.picklist(KINDS), 'otel-collector'),
  name: v.optional(v.nullable(v.string()), null),
  url: v.string(),
  method: v.optional(v.picklist(METHODS), 'POST'),
  header_names: v.array(v.string()),
  /** In Base64, encrypted by KMS for this workspace alone. Absent where there are no headers. */
  ciphertext: v.exactOptional(v.string()),
  enabled: v.optional(v.boolean(), true),
  sampling_rate: v.optional(v.number(), 1),
  api_key_hashes: v.optional(v.nullable(v.array(v.string())), null),
  filter_rules: v.optional(v.nullable(filterRulesSchema), null),
  broadcast_generation_cost: v.optional(v.boolean(), true),
  broadcast_generation_identity: v.optional(v.boolean(), true),
  /** Absent in rows of earlier versions. */
  created_at: v.exactOptional(v.string()),
  /** Later with each change, so that a change based on an older state is refused. */
  updated_at: v.string(),
});
/** Where the traces of a workspace go, and which. */
export type StoredDestination = Readonly<v.InferOutput<typeof storedDestinationSchema>>;

const KIND_RULE = `must be one of ${KINDS.join(', ')}; to send traces to another service, use otel-collector with the OTLP URL of the service`;
const RATE_RULE = 'must be from 0.0001 to 1';
const HASH_RULE = 'must be the hash of a key';
const HASHES_RULE = 'must be a list of 1 to 100 hashes of keys, or null for all keys';
const REGION_RULE = 'must be "global", the only supported value';
const REGIONS_RULE = 'must be ["global"], the only supported value';

const yesOrNo = v.boolean('must be true or false');

const settings = {
  name: characters(1, 200),
  enabled: v.pipe(
    yesOrNo,
    v.description(
      'Whether the destination receives traces. Has no effect while `is_observability_broadcast_enabled` of the workspace is `false`',
    ),
  ),
  sampling_rate: v.pipe(v.number(RATE_RULE), v.minValue(0.0001, RATE_RULE), v.maxValue(1, RATE_RULE)),
  api_key_hashes: v.nullable(
    v.pipe(
      v.array(v.pipe(v.string(HASH_RULE), v.regex(KEY_HASH, HASH_RULE)), HASHES_RULE),
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
    v.pipe(yesOrNo, v.description('Has no effect: traces never contain prompts or results')),
  ),
  regions: v.exactOptional(
    v.pipe(
      v.array(v.literal('global', REGION_RULE), REGIONS_RULE),
      v.minLength(1, REGIONS_RULE),
      v.description('If given, must be `["global"]`, the only supported value'),
    ),
  ),
  broadcast_generation_cost_allocation: v.exactOptional(
    v.pipe(
      v.literal(false, 'must be false: traces do not break down the cost of a job'),
      v.description('If given, must be false: traces do not break down the cost of a job'),
    ),
  ),
  broadcast_generation_request_context: v.exactOptional(
    v.pipe(
      v.literal(false, 'must be false, the only supported value'),
      v.description('If given, must be false. Included for compatibility with OpenRouter’s clients'),
    ),
  ),
};

/** The body of `POST /observability/destinations`, with the defaults that OpenRouter’s clients state. */
export const newDestinationSchema = v.object({
  type: v.pipe(
    v.picklist(KINDS, KIND_RULE),
    v.description(
      'Kind of destination: an OpenTelemetry collector or a webhook. Both receive traces in OTLP’s JSON encoding',
    ),
  ),
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
