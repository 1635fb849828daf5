import type { DestinationStore } from '../broadcast/destination-store.ts';
import type { ListStore } from '../lists/list-store.ts';
import type { ProviderKeyStore } from '../provider-keys/provider-key-store.ts';
import type { WebhookSettingsStore } from '../webhooks/settings/webhook-settings.ts';

export interface RemoveSettingsPorts {
  readonly providerKeys: Pick<ProviderKeyStore, 'list' | 'remove'>;
  readonly lists: Pick<ListStore, 'write'>;
  /** Guardrails import workspaces, so workspaces must not import them. */
  readonly guardrails: { clear(workspaceId: string): Promise<void> };
  readonly webhooks: Pick<WebhookSettingsStore, 'clear'>;
  readonly broadcasts: Pick<DestinationStore, 'remove'>;
}

/** Removes the settings of a deleted workspace, its secrets first. It may run again. */
export async function removeSettings(
  workspaceId: string,
  { providerKeys, lists, guardrails, webhooks, broadcasts }: RemoveSettingsPorts,
): Promise<void> {
  for await (const { id } of providerKeys.list(workspaceId)) await providerKeys.remove(id, lists);
  await broadcasts.remove(workspaceId);
  await webhooks.clear(workspaceId);
  await guardrails.clear(workspaceId);
}
