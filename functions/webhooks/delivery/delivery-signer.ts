import type { DeriveBytes } from '../../aws/derive-bytes.ts';
import type { WireNames } from '../../wire-names.ts';
import type { WebhookEvent } from '../events/event.ts';
import { deploymentKey } from '../signature/deployment-key.ts';
import { openRouterHeaders } from '../signature/openrouter-headers.ts';
import { signatureHeaders } from '../signature/sign.ts';

/** Makes the headers by which a receiver recognises an event as ours; the time is in Unix seconds. */
export type SignDelivery = (event: WebhookEvent, timestamp: number) => Record<string, string>;

/** Signs with a workspace's secrets, newest first, and with the key of the deployment. */
export async function deliverySigner(
  secrets: readonly Uint8Array[],
  derive: DeriveBytes,
  wireNames: WireNames,
): Promise<SignDelivery> {
  const key = await deploymentKey(derive);
  const [newest] = secrets;
  return (event, timestamp) => ({
    ...signatureHeaders({ id: event.id, timestamp, body: event.body }, secrets, key),
    ...(wireNames === 'openrouter' && newest !== undefined
      ? openRouterHeaders(event, timestamp, newest)
      : {}),
  });
}
