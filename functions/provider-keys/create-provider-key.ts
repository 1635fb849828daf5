import { invalidField } from '../http/errors.ts';
import type { ListStore } from '../lists/list-store.ts';
import { labelSecret, type NewProviderKey, type StoredProviderKey } from './provider-key.ts';
import type { ProviderKeyStore } from './provider-key-store.ts';
import type { SecretOwner } from './secret-box.ts';

export interface CreateProviderKeyPorts {
  /** The providers that the stage can call. */
  readonly supported: readonly string[];
  /** Workspaces import provider keys, so provider keys must not import them. */
  readonly workspaces: { findById(id: string): Promise<object | undefined> };
  readonly providerKeys: Pick<ProviderKeyStore, 'create'>;
  readonly lists: Pick<ListStore, 'write'>;
  readonly seal: (owner: SecretOwner, secret: string) => Promise<string>;
  readonly newId: () => string;
  readonly now: () => Date;
}

/** @throws InvalidRequest */
export async function createProviderKey(
  { key: secret, ...settings }: Omit<NewProviderKey, 'workspace_id'>,
  workspaceId: string,
  { supported, workspaces, providerKeys, lists, seal, newId, now }: CreateProviderKeyPorts,
): Promise<StoredProviderKey> {
  const { provider } = settings;
  if (!supported.includes(provider)) {
    const rule = `${provider} is not supported; supported: ${supported.join(', ') || 'none'}`;
    throw invalidField('provider', rule, { supported });
  }
  if ((await workspaces.findById(workspaceId)) === undefined) {
    throw invalidField('workspace_id', 'no such workspace');
  }
  const owner = { id: newId(), workspace_id: workspaceId, provider };
  const stored = {
    ...settings,
    ...owner,
    label: labelSecret(secret),
    ciphertext: await seal(owner, secret),
    created_at: now().toISOString(),
    updated_at: null,
  };
  await providerKeys.create(stored, lists);
  return stored;
}
