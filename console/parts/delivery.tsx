import { RotateCw } from 'lucide-preact';
import type { Action } from '../api/action.ts';
import type { Delivery } from '../api/types.ts';
import { ActionButton } from './buttons.tsx';
import { dateTime, words } from './format.ts';
import { StatusBadge, When } from './values.tsx';

/** How often to ask for deliveries again, in milliseconds. */
export const whileOnTheirWay = (deliveries: readonly Delivery[] = []): number | false =>
  deliveries.some(({ status }) => status === 'pending') && 2_000;

/** An event, and each attempt to send it. */
export function DeliveryView({ delivery }: { readonly delivery: Delivery }) {
  const { type, status, host, history, created_at, next_attempt_at: next } = delivery;
  return (
    <div class="delivery">
      <p class="facts">
        <StatusBadge status={status} />
        <code>{type}</code>
        {host !== null && <span>to {host}</span>}
        <span class="quiet">
          <When at={created_at} />
        </span>
      </p>
      {status === 'no_address' && (
        <p class="quiet">
          There was no callback URL, and the webhook URL of the workspace was missing or disabled.
        </p>
      )}
      {next !== null && status === 'pending' && (
        <p class="quiet">
          Next attempt: <When at={next} />
        </p>
      )}
      {history.length > 0 && (
        <ol class="plain-list timeline">
          {history.map(({ at, attempt, outcome, milliseconds }) => (
            <li key={`${at} ${attempt}`}>
              Attempt {attempt}: {said(outcome, milliseconds)}, <When at={at} />
            </li>
          ))}
        </ol>
      )}
      <details>
        <summary>Payload</summary>
        <pre>{delivery.body}</pre>
      </details>
    </div>
  );
}

/** Of an answer the API keeps only the class of its status: callers could probe the hosts of others with the rest. */
function said(outcome: string, milliseconds: number): string {
  if (outcome === 'circuit_open') return 'not sent, because the receiver kept failing';
  const what = /^\dxx$/.test(outcome) ? `HTTP status ${outcome}` : words(outcome);
  return `${what} after ${milliseconds} ms`;
}

interface RedeliverButtonProps {
  readonly delivery: Delivery;
  /** The workspace's webhook URL; null for none, undefined where it is unknown. */
  readonly address: string | null | undefined;
  readonly action: Action<undefined>;
}

/** Names the event that it sends: a log has many of the same type. */
export function RedeliverButton({ delivery, address, action }: RedeliverButtonProps) {
  const { type, created_at, host } = delivery;
  return (
    <ActionButton
      action={action}
      icon={RotateCw}
      label={`Redeliver ${type} from ${dateTime(created_at)}`}
      disabled={host === null && address === null}
    >
      Redeliver
    </ActionButton>
  );
}
