import * as v from 'valibot';
import { instant, uuid } from '../http/answer-schemas.ts';
import { newWorkspaceSchema, type StoredWorkspace } from './workspace.ts';

const requested = newWorkspaceSchema.entries;

/** A workspace as answers show it: every field always, null where it is unset. */
export const shownWorkspaceSchema = v.object({
  id: uuid,
  name: requested.name,
  slug: requested.slug,
  description: requested.description.wrapped,
  default_text_model: requested.default_text_model.wrapped,
  default_image_model: requested.default_image_model.wrapped,
  default_provider_sort: requested.default_provider_sort.wrapped,
  disabled_server_tools: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('Names of tools, stored for clients. No effect: Genway calls no tools. Null: none'),
  ),
  default_guardrail_id: uuid,
  io_logging_api_key_ids: requested.io_logging_api_key_ids.wrapped,
  io_logging_sampling_rate: requested.io_logging_sampling_rate.wrapped,
  is_data_discount_logging_enabled: requested.is_data_discount_logging_enabled.wrapped,
  is_observability_broadcast_enabled: requested.is_observability_broadcast_enabled.wrapped,
  is_observability_io_logging_enabled: requested.is_observability_io_logging_enabled.wrapped,
  include_byok_in_budgets: v.boolean(),
  video_retention_days: requested.video_retention_days.wrapped,
  created_by: v.pipe(
    v.string(),
    v.description(
      'The `creator_user_id` of the management key that created the workspace or, if that is null, the hash of the key. `admin command` if `genway admin create-canary-key` created the workspace. For the default workspace, the hash of the first management key',
    ),
  ),
  created_at: instant,
  updated_at: v.nullable(instant),
});

/** What of a workspace the audit trail keeps. */
export const AUDITED_OF_WORKSPACES = [
  'default_provider_sort',
  'default_guardrail_id',
  'io_logging_api_key_ids',
  'io_logging_sampling_rate',
  'is_data_discount_logging_enabled',
  'is_observability_broadcast_enabled',
  'is_observability_io_logging_enabled',
  'include_byok_in_budgets',
  'video_retention_days',
] as const;

/** Nothing is shown of how it is stored. */
export function describeWorkspace({
  version: _version,
  live_keys: _keys,
  ...shown
}: StoredWorkspace): v.InferOutput<typeof shownWorkspaceSchema> {
  return shown;
}
