import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { characters, guardrailId, trueOrFalse } from '../http/validation.ts';
import { retentionDaysOrNull } from './retention-days.ts';

const SLUG_RULE =
  'must be 1 to 50 characters: lowercase letters and digits, in segments joined by single hyphens';

/** Longer than any model's name. This limit and that of key ids keep a row far below DynamoDB's 400 KB. */
const model = v.pipe(v.nullable(characters(1, 200)), v.description('Stored for clients. Has no effect'));
const flag = () => v.boolean('must be true or false');

const name = v.pipe(characters(1, 100), v.description('Display name'));
const slug = v.pipe(
  v.string('must be a string'),
  v.maxLength(50, SLUG_RULE),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, SLUG_RULE),
  v.description(
    'Unique name of the workspace. `{workspace}` in paths, and every `workspace_id` except that of `GET /activity`, accept it instead of the ID',
  ),
);
export const isSlug = (name: string): boolean => v.is(slug, name);
const description = v.nullable(characters(0, 500));
const providerSort = v.pipe(
  v.nullable(
    v.picklist(
      ['price', 'throughput', 'latency', 'exacto'],
      'must be one of price, throughput, latency, exacto, or null',
    ),
  ),
  v.description('Default for `provider.sort`. Null: by price'),
);
const KEY_ID_RULE = 'must be the hash of a key';
const loggedKeys = v.nullable(
  v.pipe(
    v.array(
      v.union([characters(1, 200), v.pipe(v.number(), v.safeInteger(KEY_ID_RULE))], KEY_ID_RULE),
      'must be a list of hashes of keys, or null for all keys',
    ),
    v.maxLength(100, 'must have at most 100 hashes of keys'),
    v.description('Hashes of the keys whose generations are logged. Null: all keys. Empty: none'),
  ),
);
const TOOLS_RULE = 'must be a list of up to 100 names, or null';
const disabledTools = v.pipe(
  v.nullable(v.pipe(v.array(characters(1, 200), TOOLS_RULE), v.maxLength(100, TOOLS_RULE))),
  v.description('Stored for clients. Has no effect. Null or empty: none'),
  v.transform((names) => (names?.length === 0 ? null : names)),
);
const guardrail = v.pipe(
  guardrailId(
    'must be the ID (a UUID) of a guardrail, or null for the guardrail that the workspace started with',
  ),
  v.description(
    'ID of the guardrail that applies to a job in this workspace if the key of the job has no `guardrail_id` or belongs to another workspace. Null: the guardrail that the workspace started with',
  ),
);
const samplingRate = v.pipe(
  v.number('must be a number'),
  v.minValue(0.0001, 'must be from 0.0001 to 1'),
  v.maxValue(1, 'must be from 0.0001 to 1'),
  v.description('Share of generations to log, from 0.0001 to 1. Genway selects them by a hash of their IDs'),
);

const flags = {
  discount: v.pipe(
    flag(),
    v.description(
      'Whether jobs in this workspace get the discount that models show as `data_discount`. Jobs on your own provider keys never do',
    ),
  ),
  broadcast: v.pipe(flag(), v.description('Whether the workspace broadcasts traces of its jobs')),
  logging: v.pipe(
    flag(),
    v.description(
      'Whether Genway keeps an encrypted log of prompts, parameters, and metadata of inputs and results',
    ),
  ),
};
const retention = v.pipe(
  retentionDaysOrNull,
  v.description(
    'Days to keep the videos of a job, counted from its completion. Null: the default of the deployment. A change applies only to jobs that complete later',
  ),
);

/** On creation, `null` and an absent field mean the same, for fields that can be unset. */
export const newWorkspaceSchema = v.object({
  name,
  slug,
  description: v.optional(description, null),
  default_text_model: v.optional(model, null),
  default_image_model: v.optional(model, null),
  default_provider_sort: v.optional(providerSort, null),
  disabled_server_tools: v.optional(disabledTools, null),
  io_logging_api_key_ids: v.optional(loggedKeys, null),
  io_logging_sampling_rate: v.optional(samplingRate, 1),
  is_data_discount_logging_enabled: v.optional(flags.discount, true),
  is_observability_broadcast_enabled: v.optional(flags.broadcast, false),
  is_observability_io_logging_enabled: v.optional(flags.logging, false),
  video_retention_days: v.optional(retention, null),
});
export type NewWorkspace = v.InferOutput<typeof newWorkspaceSchema>;

/** The query of `DELETE /workspaces/{id}`. */
export const workspaceDeletionQuery = {
  confirm_default_workspace_deletion: v.exactOptional(
    v.pipe(
      trueOrFalse,
      v.description(
        'No effect. Accepted for compatibility with OpenRouter’s clients. The default workspace can never be deleted',
      ),
    ),
  ),
};

/** In a change `null` clears a field, and an absent field stays as it is. */
export const workspaceChangeSchema = v.object({
  name: v.exactOptional(name),
  slug: v.exactOptional(slug),
  description: v.exactOptional(description),
  default_text_model: v.exactOptional(model),
  default_image_model: v.exactOptional(model),
  default_provider_sort: v.exactOptional(providerSort),
  disabled_server_tools: v.exactOptional(disabledTools),
  default_guardrail_id: v.exactOptional(guardrail),
  io_logging_api_key_ids: v.exactOptional(loggedKeys),
  io_logging_sampling_rate: v.exactOptional(samplingRate),
  is_data_discount_logging_enabled: v.exactOptional(flags.discount),
  is_observability_broadcast_enabled: v.exactOptional(flags.broadcast),
  is_observability_io_logging_enabled: v.exactOptional(flags.logging),
  video_retention_days: v.exactOptional(retention),
});
export type WorkspaceChange = v.InferOutput<typeof workspaceChangeSchema>;

export interface Workspace extends NewWorkspace {
  readonly id: string;
  readonly default_guardrail_id: string;
  readonly include_byok_in_budgets: boolean;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string | null;
}

export interface WorkspaceIdentity {
  readonly id: string;
  readonly createdBy: string;
  readonly now: Date;
}

export function createWorkspace(requested: NewWorkspace, identity: WorkspaceIdentity): Workspace {
  return {
    ...requested,
    id: identity.id,
    default_guardrail_id: ownGuardrailId(identity.id),
    include_byok_in_budgets: false,
    created_by: identity.createdBy,
    created_at: identity.now.toISOString(),
    updated_at: null,
  };
}

/** The id of the guardrail that a workspace uses when it names no other. */
export const ownGuardrailId = (workspaceId: string): string => uuidV5(workspaceId, 'default-guardrail');

/** The guardrail that a key names for its submits in a workspace: in others than its own, none. */
export const guardrailIn = (
  workspaceId: string,
  key: { readonly workspace_id: string; readonly guardrail_id: string | null },
): string | null => (key.workspace_id === workspaceId ? key.guardrail_id : null);

/** RFC 9562 §5.5: the same name in the same namespace always gives the same UUID. */
export function uuidV5(namespace: string, name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const storedWorkspaceSchema = v.object({
  ...newWorkspaceSchema.entries,
  id: v.string(),
  default_guardrail_id: v.string(),
  include_byok_in_budgets: v.boolean(),
  created_by: v.string(),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
  /** Counts changes, so that a change based on an older version is refused. */
  version: v.number(),
  /** Keys that are neither disabled nor deleted; expired ones count. */
  live_keys: v.optional(v.number(), 0),
});
export type StoredWorkspace = Readonly<v.InferOutput<typeof storedWorkspaceSchema>>;

/** Parses a workspace's row; undefined where it has been deleted. */
export const readWorkspace = (row: Readonly<Record<string, unknown>>): StoredWorkspace | undefined =>
  row.removed_at === undefined ? v.parse(storedWorkspaceSchema, row) : undefined;

/** The same in every deployment, so that no request has to look it up. */
export const DEFAULT_WORKSPACE_ID = '5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01';

/** The workspace in which management keys act when they name none. Made with the first management key. */
export const defaultWorkspace = (now: Date, createdBy: string): Workspace =>
  plainWorkspace({ name: 'Default', slug: 'default' }, { id: DEFAULT_WORKSPACE_ID, createdBy, now });

/** A workspace with every setting at its default. */
export function plainWorkspace(
  named: Pick<Workspace, 'name' | 'slug'>,
  identity: WorkspaceIdentity,
): Workspace {
  const requested = {
    ...named,
    description: null,
    default_text_model: null,
    default_image_model: null,
    default_provider_sort: null,
    disabled_server_tools: null,
    io_logging_api_key_ids: null,
    io_logging_sampling_rate: 1,
    is_data_discount_logging_enabled: true,
    is_observability_broadcast_enabled: false,
    is_observability_io_logging_enabled: false,
    video_retention_days: null,
  };
  return createWorkspace(requested, identity);
}
