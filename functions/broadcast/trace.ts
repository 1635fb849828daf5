import { conditionFailed } from '../aws/dynamo-writes.ts';
import { defined } from '../defined.ts';
import type { Log } from '../telemetry/log.ts';
import type { ownMetrics } from '../telemetry/own-metrics.ts';
import { judgeAnswer } from '../webhooks/delivery/judge-answer.ts';
import type { Destination, DestinationOf } from '../webhooks/delivery/webhook-destination.ts';
import { newEvent, traceIdOf, type WebhookEvent } from '../webhooks/events/event.ts';
import type { EventQueue } from '../webhooks/events/event-queue.ts';
import type { EventStore } from '../webhooks/events/event-store.ts';
import type { DestinationStore } from './destination-store.ts';
import { endedGeneration, generationSpan } from './generation-span.ts';
import { judgeExport, type PostSpanPorts, postSpan } from './post-span.ts';
import { isChosen } from './trace-filter.ts';

const TRACE = 'trace';
export const isTrace = ({ type }: Pick<WebhookEvent, 'type'>): boolean => type === TRACE;

/**
 * A row in the outbox of webhooks, whose deliverer and sweeper serve it too. Without a place it is in no list of
 * deliveries.
 */
function traceOf(event: WebhookEvent, now: Date): WebhookEvent {
  const { workspace_id, key_hash, body } = event;
  const id = traceIdOf(event.webhook_id ?? event.id);
  const content = { id, workspace_id, ...defined({ key_hash }), type: TRACE, body };
  const { place: _, ...row } = newEvent(content, now);
  return row;
}

export interface BroadcastPorts {
  /** Whether a workspace wants traces of its generations. */
  readonly isWanted: (workspaceId: string) => Promise<boolean>;
  readonly events: Pick<EventStore, 'create'>;
  readonly queue: EventQueue;
  readonly now: () => Date;
}

/**
 * Puts the trace of a generation beside the event of its end, where the workspace wants it. It may run again: the
 * trace's id follows from the event's. It parses nothing of what it passes on, so that no trace can hold up a webhook.
 */
export async function broadcastEnd(
  event: WebhookEvent,
  { isWanted, events, queue, now }: BroadcastPorts,
): Promise<void> {
  if (event.job_id === undefined || !(await isWanted(event.workspace_id))) return;
  const trace = traceOf(event, now());
  try {
    await events.create(trace);
  } catch (error) {
    if (!conditionFailed(error)) throw error;
  }
  await queue.send({ v: 1, event_id: trace.id, attempt: 1 }, trace.workspace_id, 0);
}

/** The outcome of an attempt to send a trace, or of the trace. */
export type TraceOutcome = (typeof ownMetrics.Traces.outcome)[number];

interface TracePorts extends PostSpanPorts {
  readonly destinations: Pick<DestinationStore, 'find'>;
  readonly countTrace: (outcome: TraceOutcome) => void;
  readonly log: Pick<Log, 'warn'>;
}

const OUTCOMES = { delivered: 'sent', pending: 'retried', failed: 'dropped' } as const;

/**
 * Sends traces to the collector that the workspace has named. They have lanes of their own, so that a slow collector
 * delays no webhook.
 */
export function traceDestinations(ports: TracePorts): DestinationOf {
  const { destinations, countTrace, log } = ports;
  return async (event): Promise<Destination | null> => {
    const { id, workspace_id: workspaceId } = event;
    const destination = await destinations.find(workspaceId);
    if (destination === undefined) {
      countTrace('no_destination');
      log.warn('trace not sent: there is no destination', { event_id: id, workspace_id: workspaceId });
      return null;
    }
    const generation = endedGeneration(event);
    const span = generationSpan(generation, event.key_hash, destination);
    if (!isChosen(generation, span, event.key_hash, destination)) {
      countTrace('left_out');
      return null;
    }
    const { host } = new URL(destination.url);
    return {
      message: 'trace attempted',
      url: destination.url,
      host,
      lane: `traces:${host}`,
      post: async (_, requestId) => postSpan(destination, span, requestId, ports),
      judge: destination.type === 'webhook' ? judgeAnswer : judgeExport,
      countAttempt: (_, { status }) => countTrace(OUTCOMES[status]),
      noteFailure: async (_, verdict) => {
        if (verdict.status !== 'failed') return;
        log.warn('trace dropped', { event_id: id, workspace_id: workspaceId, host });
      },
    };
  };
}
