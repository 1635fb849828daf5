import { retryOnConflict } from '../../aws/retry.ts';
import { Conflict } from '../../http/errors.ts';
import type { SigningSecrets } from '../signature.ts';
import { MOST_SECRETS, type RetiringSecret, signingAt } from './retiring-secrets.ts';
import { secretName } from './shown-webhook.ts';
import type { WebhookSettings, WebhookSettingsStore } from './webhook-settings.ts';

/** Others may rotate at the same time, but hardly more often than this. */
const ATTEMPTS = 5;

export interface RotatePorts {
  readonly settings: Pick<WebhookSettingsStore, 'find' | 'rotate'>;
  readonly secrets: Pick<SigningSecrets, 'secret'>;
  readonly now: () => Date;
  readonly newToken: () => string;
}

/**
 * Makes the next secret, which signs from now on. The one before signs beside it until the overlap ends, and older ones
 * until the times that were told with them.
 * @throws Conflict while as many secrets sign as may
 */
export async function rotateSecret(
  workspaceId: string,
  overlapMilliseconds: number,
  { settings, secrets, now, newToken }: RotatePorts,
): Promise<{ readonly rotated: WebhookSettings; readonly secret: Uint8Array }> {
  const token = newToken();
  const rotate = async () => {
    const read = await settings.find(workspaceId);
    const at = now();
    const retiring = signingAt(at, read.retiring_secrets);
    if (overlapMilliseconds > 0 && retiring.length + 1 >= MOST_SECRETS)
      throw noRoom(read.secret_version, retiring);
    // Derived before it signs, because a secret that signs must be one that we can show.
    const secret = await secrets.secret(workspaceId, read.secret_version + 1);
    const until = at.getTime() + overlapMilliseconds;
    const rotated = await settings.rotate(workspaceId, read, { until, retiring, token });
    return rotated && { rotated, secret };
  };
  const contended = () => new Conflict('Another request is rotating the secret; try again in a moment');
  return retryOnConflict(ATTEMPTS, rotate, contended);
}

/** Without an overlap there is always room, because the newest one ends at once. */
function noRoom(newest: number, retiring: readonly RetiringSecret[]): Conflict {
  const next = retiring.reduce((first, each) => (each.until < first.until ? each : first));
  return new Conflict(
    `${MOST_SECRETS} secrets are active, which is the maximum. Rotate again at` +
      ` ${new Date(next.until).toISOString()}, when ${secretName(next.version)} expires, or now with` +
      ` overlap_hours 0, which makes ${secretName(newest)} expire immediately`,
  );
}
