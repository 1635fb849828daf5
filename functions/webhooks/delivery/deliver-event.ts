import { insistently } from '../../aws/retry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Attempt, nextAttempt, type WebhookEvent } from '../events/event.ts';
import type { EventMessage, EventQueue } from '../events/event-queue.ts';
import type { EventStore } from '../events/event-store.ts';
import type { Destination, DestinationOf } from './destination.ts';
import { isCircuitOpen, type Streak, type StreakStore } from './host-health.ts';
import { laneDelay, outcomeOf, QUEUE_SECONDS, type Verdict } from './judge-answer.ts';
import type { LaneStore } from './lane-store.ts';

export interface DeliverPorts {
  readonly events: Pick<EventStore, 'find' | 'claim' | 'postpone' | 'record' | 'closeUndeliverable'>;
  readonly destinationOf: DestinationOf;
  /**
   * Sends what else should be told of an event, by rows of its own. Called before the first attempt, and perhaps again.
   */
  readonly broadcast: (event: WebhookEvent) => Promise<void>;
  readonly lanes: Pick<LaneStore, 'enter' | 'leave'>;
  readonly streaks: Pick<StreakStore, 'find' | 'extend' | 'end'>;
  readonly queue: EventQueue;
  readonly now: () => Date;
  readonly random: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
}

/** Twice as long as a receiver may take: an attempt that has not ended by then never will. */
const LEASE_MILLISECONDS = 30_000;

/** An event, its destination, and how that has done lately. */
interface Target {
  readonly event: WebhookEvent;
  readonly destination: Destination;
  readonly streak: Streak | undefined;
}

/**
 * Makes one attempt at one event and arranges the next. At least once: after a crash between the request and its
 * record, the attempt is repeated under the same `webhook-id` once the lease has expired.
 */
export async function deliverEvent(message: EventMessage, ports: DeliverPorts): Promise<void> {
  const event = await ports.events.find(message.event_id);
  if (event === undefined || event.status !== 'pending' || message.attempt !== event.attempts + 1) return;
  if (event.lease_until > ports.now().getTime()) return;
  if (event.attempts === 0 && event.waits === 0) await ports.broadcast(event);
  const destination = await ports.destinationOf(event);
  if (destination === null) return ports.events.closeUndeliverable(event);
  const streak = await ports.streaks.find(event.workspace_id, destination.lane);
  const target = { event, destination, streak };

  const isNew = nextAttempt(event) === 1 && !event.is_redelivery;
  if (isNew && isCircuitOpen(streak, ports.now())) return skip(target, ports);
  const now = ports.now();
  const lapsesAt = now.getTime() + LEASE_MILLISECONDS;
  const lane = { workspaceId: event.workspace_id, host: destination.lane };
  const place = await ports.lanes.enter(lane, { now, lapsesAt, token: ports.newRequestId() });
  if (place === undefined) return waitForPlace(event, ports);
  try {
    const claimed = await ports.events.claim(event, lapsesAt, ports.newRequestId());
    if (claimed !== undefined) await attempt({ ...target, event: claimed }, ports);
  } finally {
    await ports.lanes.leave(lane, place);
  }
}

/** The host has just failed many times: the event waits for its next turn by the schedule. */
async function skip({ event, destination }: Target, ports: DeliverPorts): Promise<void> {
  const now = ports.now();
  const attempt = nextAttempt(event);
  const verdict = destination.judge({ failure: 'connection_failed' }, { attempt, refusals: 0 }, ports.random);
  const record = { at: now.toISOString(), attempt, outcome: 'circuit_open', milliseconds: 0 };
  destination.countAttempt(record.outcome, verdict);
  await arrange(event, record, verdict, ports);
}

/** The workspace has as many requests under way as it may: the event waits, each time for longer. */
async function waitForPlace(event: WebhookEvent, ports: DeliverPorts): Promise<void> {
  const delaySeconds = laneDelay(event.waits, ports.random);
  // The row comes first: of two messages for the same attempt only one goes on waiting.
  const dueAt = ports.now().getTime() + delaySeconds * 1000;
  const waits = await ports.events.postpone(event, dueAt, ports.newRequestId());
  if (!waits) return;
  const again: EventMessage = { v: 1, event_id: event.id, attempt: event.attempts + 1 };
  await ports.queue.send(again, event.workspace_id, delaySeconds);
}

async function attempt(target: Target, ports: DeliverPorts): Promise<void> {
  const { event, destination } = target;
  const begun = ports.now();
  const requestId = ports.newRequestId();
  const answer = await destination.post(event, requestId);
  const number = nextAttempt(event);
  const record = {
    at: begun.toISOString(),
    attempt: number,
    outcome: outcomeOf(answer),
    milliseconds: ports.now().getTime() - begun.getTime(),
    request_id: requestId,
  };
  const { message, host } = destination;
  const verdict = destination.judge(answer, { attempt: number, refusals: event.refusals }, ports.random);
  destination.countAttempt(record.outcome, verdict);
  ports.log.info(message, { event_id: event.id, host, ...record });
  await arrange(event, record, verdict, ports);
  await noteHealth(target, verdict, ports);
}

/** The next message comes first, then the record: a crash between them repeats an attempt and loses none. */
async function arrange(
  event: WebhookEvent,
  attempt: Attempt,
  verdict: Verdict,
  ports: DeliverPorts,
): Promise<void> {
  if (verdict.status !== 'pending') return ports.events.record(event, attempt, { status: verdict.status });
  const { delaySeconds, refused } = verdict;
  const dueAt = ports.now().getTime() + delaySeconds * 1000;
  if (delaySeconds <= QUEUE_SECONDS) {
    const next: EventMessage = { v: 1, event_id: event.id, attempt: event.attempts + 2 };
    await ports.queue.send(next, event.workspace_id, Math.ceil(delaySeconds));
  }
  await ports.events.record(event, attempt, { status: 'pending', dueAt, refused });
}

/** Updates the streak of failures of the host that took the event, or did not. */
async function noteHealth({ event, destination, streak }: Target, verdict: Verdict, ports: DeliverPorts) {
  const { workspace_id: workspaceId } = event;
  if (verdict.status === 'delivered') {
    if (streak !== undefined) await ports.streaks.end(workspaceId, destination.lane);
    return;
  }
  const now = ports.now();
  const failing = await ports.streaks.extend(workspaceId, destination.lane, now);
  await destination.noteFailure(event, verdict, failing, now);
}

/**
 * Until an attempt is recorded, AWS is asked for longer than AWS's clients do. If the deliverer gave up, its event
 * would wait minutes for the sweeper. Each write may be repeated, because it recognises its own attempt. Later notes
 * are not worth waiting for; deriving a secret insists by itself.
 */
export function insistentPorts(
  ports: DeliverPorts,
  pause: (milliseconds: number) => Promise<void>,
): DeliverPorts {
  const { events, lanes, streaks, queue } = ports;
  const insisting = insistently(pause);
  return {
    ...ports,
    events: {
      find: insisting((id) => events.find(id)),
      claim: insisting((...claim) => events.claim(...claim)),
      postpone: insisting((...wait) => events.postpone(...wait)),
      record: insisting((...attempt) => events.record(...attempt)),
      closeUndeliverable: insisting((event) => events.closeUndeliverable(event)),
    },
    destinationOf: insisting((event) => ports.destinationOf(event)),
    broadcast: insisting((event) => ports.broadcast(event)),
    lanes: {
      enter: insisting((...place) => lanes.enter(...place)),
      leave: (...place) => lanes.leave(...place),
    },
    streaks: {
      find: insisting((...host) => streaks.find(...host)),
      extend: (...failure) => streaks.extend(...failure),
      end: (...host) => streaks.end(...host),
    },
    queue: { send: insisting((...message) => queue.send(...message)) },
  };
}
