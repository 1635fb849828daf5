import type { Log } from '../../log.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { SigningSecrets } from '../settings/signing-secrets.ts';
import type { DisabledReason, WebhookSettingsStore } from '../settings/webhook-settings.ts';
import type { Destination, DestinationOf } from './destination.ts';
import { addressOf } from './event-address.ts';
import { isDead } from './host-health.ts';
import { type Answer, judgeAnswer } from './judge-answer.ts';

export interface WebhookPorts {
  readonly settings: Pick<WebhookSettingsStore, 'find' | 'disableDefault'>;
  readonly secrets: Pick<SigningSecrets, 'active'>;
  readonly post: (
    url: string,
    event: WebhookEvent,
    secrets: readonly Uint8Array[],
    requestId: string,
  ) => Promise<Answer>;
  readonly now: () => Date;
  readonly countAttempt: (outcome: string) => void;
  readonly log: Pick<Log, 'warn'>;
}

/** Sends to the job's own address or the workspace's default, signed with the workspace's secrets. */
export function webhookDestinations(ports: WebhookPorts): DestinationOf {
  const { settings: store, secrets, post, countAttempt } = ports;
  return async (event) => {
    const { workspace_id: workspaceId } = event;
    const settings = await store.find(workspaceId);
    const url = addressOf(event, settings);
    if (url === null) return null;
    const { host } = new URL(url);
    return {
      message: 'webhook attempted',
      url,
      host,
      lane: host,
      post: async (claimed, requestId) =>
        post(url, claimed, await secrets.active(workspaceId, settings, ports.now()), requestId),
      judge: judgeAnswer,
      countAttempt,
      noteFailure: noteFailure({ url, host }, ports),
    };
  };
}

/** An address that is gone or long dead is disabled as the workspace's default. */
function noteFailure(
  { url, host }: Pick<Destination, 'url' | 'host'>,
  { settings, log }: WebhookPorts,
): Destination['noteFailure'] {
  return async ({ workspace_id: workspaceId, callback_url: own }, verdict, failing, now) => {
    const isGone = verdict.status === 'failed' && verdict.isGone;
    const reason: DisabledReason | undefined = isGone ? 'gone' : isDead(failing, now) ? 'failing' : undefined;
    if (reason === undefined || own !== undefined) return;
    await settings.disableDefault(workspaceId, url, { reason, at: now.toISOString() });
    log.warn('default webhook address disabled', { workspace_id: workspaceId, host, reason });
  };
}
