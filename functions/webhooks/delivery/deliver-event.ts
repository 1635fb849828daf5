import { insistently } from '../../aws/retry.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Attempt, nextAttempt, TEST_EVENT, type WebhookEvent } from '../events/event.ts';
import type { EventMessage, EventQueue } from '../events/event-queue.ts';
import type { EventStore } from '../events/event-store.ts';
import { hasJustFailed, isCircuitOpen, isTrialDue, type Streak, type StreakStore } from './host-health.ts';
import { laneDelay, outcomeOf, QUEUE_SECONDS, type Verdict } from './judge-answer.ts';
import type { LaneStore } from './lane-store.ts';
import type { Destination, DestinationOf } from './webhook-destination.ts';

export interface DeliverPorts {
  readonly events: Pick<EventStore, 'find' | 'claim' | 'postpone' | 'record' | 'closeUndeliverable'>;
  readonly destinationOf: DestinationOf;
  /**
   * Sends what else should be told of an event, by rows of its own. Called before the first attempt, and perhaps again.
   */
  readonly broadcast: (event: WebhookEvent) => Promise<void>;
  readonly lanes: Pick<LaneStore, 'enter' | 'leave'>;
  readonly streaks: Pick<StreakStore, 'find' | 'takeTrial' | 'extend' | 'end'>;
  readonly queue: EventQueue;
  readonly now: () => Date;
  readonly random: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
}

/** Twice as long as a receiver may take: an attempt that has not ended by then never will. */
const LEASE_MILLISECONDS = 30_000;

/**
 * Makes one attempt at one event and arranges the next. At least once: after a crash between the request and its
 * record, the attempt is repeated under the same `webhook-id` once the lease has expired.
 */
export async function deliverEvent(message: EventMessage, ports: DeliverPorts): Promise<void> {
  const { events, streaks, lanes, now, newRequestId } = ports;
  const event = await events.find(message.event_id);
  if (event === undefined || !isItsTurn(event, message, now())) return;
  if (event.attempts === 0 && event.waits === 0) await ports.broadcast(event);

  const destination = await ports.destinationOf(event);
  if (destination === null) return events.closeUndeliverable(event);
  const streak = await streaks.find(event.workspace_id, destination.lane);
  const begun = now();
  const leftOut = outcomeIfLeftOut({ event, destination, streak }, ports);
  if (leftOut !== undefined && !mayTry({ event, streak }, begun))
    return leaveOut({ event, destination }, leftOut, ports);

  const lapsesAt = begun.getTime() + LEASE_MILLISECONDS;
  const lane = { workspaceId: event.workspace_id, host: destination.lane };
  const place = await lanes.enter(lane, { now: begun, lapsesAt, token: newRequestId() });
  if (place === undefined) return waitForPlace(event, ports);
  try {
    const claimed = await events.claim(event, lapsesAt, newRequestId());
    if (claimed === undefined) return;
    // The trial comes last: whoever finds no place, or another worker at the event, must not spend it.
    const { workspaceId, host } = lane;
    if (leftOut !== undefined && !(await streaks.takeTrial(workspaceId, host, begun, newRequestId())))
      return await leaveOut({ event: claimed, destination }, leftOut, ports);
    const outcome = await attempt(claimed, destination, ports);
    await arrange(claimed, outcome, ports);
    await noteHealth({ event: claimed, destination, streak }, outcome.verdict, ports);
  } finally {
    await lanes.leave(lane, place);
  }
}

/** Whether the message is about the attempt that comes next, and no other worker is at it. */
const isItsTurn = (event: WebhookEvent, message: EventMessage, now: Date): boolean =>
  event.status === 'pending' && message.attempt === event.attempts + 1 && event.lease_until <= now.getTime();

/** What has become of an attempt, and what follows from that. */
interface Outcome {
  readonly record: Attempt;
  readonly verdict: Verdict;
}

/**
 * What an attempt ends with that is not made, because the host fails: the event waits for its next turn by the
 * schedule. Undefined if it must be made, because the circuit is closed, somebody has just asked for it, or it is the
 * last: no event is given up without a request.
 */
function outcomeIfLeftOut(
  { event, destination, streak }: Target,
  { now, random }: DeliverPorts,
): Outcome | undefined {
  const at = now();
  if (streak === undefined || !isCircuitOpen(streak, at)) return undefined;
  const attempt = nextAttempt(event);
  if (attempt === 1 && (event.is_redelivery || event.type === TEST_EVENT)) return undefined;
  const verdict = destination.judge({ failure: 'connection_failed' }, { attempt, refusals: 0 }, random);
  if (verdict.status !== 'pending') return undefined;
  return { record: { at: at.toISOString(), attempt, outcome: 'circuit_open', milliseconds: 0 }, verdict };
}

/**
 * Whether the attempt may be the host's trial. That is left to a retry for a while: a host that only stumbled takes it
 * after five seconds.
 */
const mayTry = ({ event, streak }: Pick<Target, 'event' | 'streak'>, now: Date): boolean =>
  streak !== undefined && isTrialDue(streak, now) && (nextAttempt(event) > 1 || !hasJustFailed(streak, now));

function leaveOut(
  { event, destination }: Pick<Target, 'event' | 'destination'>,
  outcome: Outcome,
  ports: DeliverPorts,
): Promise<void> {
  destination.countAttempt(outcome.record.outcome, outcome.verdict);
  return arrange(event, outcome, ports);
}

/** The workspace has as many requests under way as it may: the event waits, each time for longer. */
async function waitForPlace(
  event: WebhookEvent,
  { events, queue, now, random, newRequestId }: DeliverPorts,
): Promise<void> {
  const delaySeconds = laneDelay(event.waits, random);
  // The row comes first: of two messages for the same attempt only one goes on waiting.
  const dueAt = now().getTime() + delaySeconds * 1000;
  const waits = await events.postpone(event, dueAt, newRequestId());
  if (!waits) return;
  const again: EventMessage = { v: 1, event_id: event.id, attempt: event.attempts + 1 };
  await queue.send(again, event.workspace_id, delaySeconds);
}

async function attempt(
  event: WebhookEvent,
  destination: Destination,
  { now, random, newRequestId, log }: DeliverPorts,
): Promise<Outcome> {
  const begun = now();
  const requestId = newRequestId();
  const answer = await destination.post(event, requestId);
  const number = nextAttempt(event);
  const record = {
    at: begun.toISOString(),
    attempt: number,
    outcome: outcomeOf(answer),
    milliseconds: now().getTime() - begun.getTime(),
    request_id: requestId,
  };
  const verdict = destination.judge(answer, { attempt: number, refusals: event.refusals }, random);
  destination.countAttempt(record.outcome, verdict);
  log.info(destination.message, { event_id: event.id, host: destination.host, ...record });
  return { record, verdict };
}

/** The next message comes first, then the record: a crash between them repeats an attempt and loses none. */
async function arrange(
  event: WebhookEvent,
  { record, verdict }: Outcome,
  { events, queue, now }: DeliverPorts,
): Promise<void> {
  if (verdict.status !== 'pending') return events.record(event, record, { status: verdict.status });
  const { delaySeconds, refused } = verdict;
  const dueAt = now().getTime() + delaySeconds * 1000;
  if (delaySeconds <= QUEUE_SECONDS) {
    const next: EventMessage = { v: 1, event_id: event.id, attempt: event.attempts + 2 };
    await queue.send(next, event.workspace_id, Math.ceil(delaySeconds));
  }
  await events.record(event, record, { status: 'pending', dueAt, refused });
}

/** An event, its destination, and how that has done lately. */
interface Target {
  readonly event: WebhookEvent;
  readonly destination: Destination;
  readonly streak: Streak | undefined;
}

/** Updates the streak of failures of the host that took the event, or did not. */
async function noteHealth(
  { event, destination, streak }: Target,
  verdict: Verdict,
  { streaks, now }: DeliverPorts,
): Promise<void> {
  const { workspace_id: workspaceId } = event;
  if (verdict.status === 'delivered') {
    if (streak !== undefined) await streaks.end(workspaceId, destination.lane);
    return;
  }
  const at = now();
  const failing = await streaks.extend(workspaceId, destination.lane, at);
  await destination.noteFailure(event, verdict, failing, at);
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
      takeTrial: insisting((...trial) => streaks.takeTrial(...trial)),
      extend: (...failure) => streaks.extend(...failure),
      end: (...host) => streaks.end(...host),
    },
    queue: { send: insisting((...message) => queue.send(...message)) },
  };
}
