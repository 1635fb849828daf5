import type { DeriveBytes } from '../../aws/derive-bytes.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** The workspace's secrets that sign now, newest first. */
export interface SigningSecrets {
  secret(workspaceId: string, version: number): Promise<Uint8Array>;
  active(workspaceId: string, settings: WebhookSettings, now: Date): Promise<Uint8Array[]>;
}

/** Secrets that are stored nowhere: each is derived from its workspace and version. */
export function derivedSecrets(derive: DeriveBytes): SigningSecrets {
  const secret = (workspaceId: string, version: number) => derive(`webhook-secret/${workspaceId}/${version}`);
  return {
    secret,
    active(workspaceId, { secret_version: version, previous_secret_until: until }, now) {
      const versions = now.getTime() < until ? [version, version - 1] : [version];
      return Promise.all(versions.map((each) => secret(workspaceId, each)));
    },
  };
}
