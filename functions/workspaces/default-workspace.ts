import { createWorkspace, type Workspace, type WorkspaceIdentity } from './workspace.ts';

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
    io_logging_api_key_ids: null,
    io_logging_sampling_rate: 1,
    is_data_discount_logging_enabled: true,
    is_observability_broadcast_enabled: false,
    is_observability_io_logging_enabled: false,
    video_retention_days: null,
  };
  return createWorkspace(requested, identity);
}
