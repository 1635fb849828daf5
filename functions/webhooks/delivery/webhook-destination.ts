import type { Log } from '../../telemetry/log.ts';
import type { WebhookEvent } from '../events/event.ts';
import { addressOf, type DisabledReason, type WebhookSettingsStore } from '../settings/webhook-settings.ts';
import type { SigningSecrets } from '../signature.ts';
import { isDead, type Streak } from './host-health.ts';
import { type Answer, judgeAnswer, type Verdict } from './judge-answer.ts';

/** Where a row of the outbox is sent, how, and what the answer means. */
export interface Destination {
  /** The message that the log has for each attempt. */
  readonly message: 'webhook attempted' | 'trace attempted';
  readonly url: string;
  readonly host: string;
  /** Rows with the same lane share places and a circuit, within their workspace. Contains no spaces. */
  readonly lane: string;
  post(event: WebhookEvent, requestId: string): Promise<Answer>;
  readonly judge: typeof judgeAnswer;
  /** Also called for an attempt that is left out because the circuit is open. */
  countAttempt(outcome: string, verdict: Verdict): void;
  /** Does what else a failed attempt requires, beyond the next one. */
  noteFailure(event: WebhookEvent, verdict: Verdict, failing: Streak, now: Date): Promise<void>;
}

/** Null for a row that has nowhere to go. */
export type DestinationOf = (event: WebhookEvent) => Promise<Destination | null>;

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
