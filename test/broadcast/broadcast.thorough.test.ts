import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { StoredDestination } from '../../functions/broadcast/destination.ts';
import { DestinationStore } from '../../functions/broadcast/destination-store.ts';
import { spanIds } from '../../functions/broadcast/otlp-request.ts';
import { headerOpener, sealHeaders } from '../../functions/broadcast/sealed-headers.ts';
import {
  broadcastEnd,
  isTrace,
  type TraceOutcome,
  traceDestinations,
} from '../../functions/broadcast/trace.ts';
import { stepOrLeave } from '../../functions/sweeping/swept-rows.ts';
import { deliverEvent } from '../../functions/webhooks/delivery/deliver-event.ts';
import { LaneStore } from '../../functions/webhooks/delivery/lane-store.ts';
import { webhookDestinations } from '../../functions/webhooks/delivery/webhook-destination.ts';
import type { WebhookEvent } from '../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../functions/webhooks/events/event-queue.ts';
import { createWorkspace, newWorkspaceSchema } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { type EventPorts, SILENT, StageProcess } from '../deployed/stage-process.ts';
import { AwsWorld, type Call, type Fault, faultsOf, type Process } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { START } from '../videos/jobs/job-fixture.ts';
import { aDestination, endedEvent } from './ended-event.ts';
import { decodeSpan } from './otlp-schema.ts';

const MINUTE = 60_000;
/** How many requests a workspace and a host may have at the same time. */
const LIMITS = { workspace: 4, host: 2 };
/** The deliverer's Lambda timeout. */
const TIMEOUT = 40_000;

interface SentTrace {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

interface Instance {
  readonly process: Process;
  readonly take: (message: EventMessage) => Promise<void>;
}

/**
 * The deliverer and its sweeper, with the stage's tables, queue and key. They deliver events of ended jobs, and may
 * crash.
 */
class TracedStage {
  readonly world = new AwsWorld({ start: START });
  /** The requests that trace destinations received. */
  readonly traces: SentTrace[] = [];
  /** The ids of the events whose webhook was received. */
  readonly webhooks: string[] = [];
  readonly outcomes: TraceOutcome[] = [];
  /** The destination's next answers. */
  answer: () => Promise<Response> = async () => new Response('{}');
  readonly #stage = new DeployedStage(this.world);
  readonly #observer = new StageProcess(this.world, this.#stage, 'observer');
  readonly #kmsKeyId = this.#stage.name('ProviderKeys-Key');
  readonly #destinations = this.#stage.name('Broadcast');
  readonly #sweeping = this.#observer.eventPorts(async () => {
    throw new Error('a sweeper sends no webhook');
  });
  #deliverer: Instance | undefined;

  async addWorkspace(id: string, wantsTraces: boolean): Promise<void> {
    const requested = v.parse(newWorkspaceSchema, {
      name: 'Traced',
      slug: id,
      is_observability_broadcast_enabled: wantsTraces,
    });
    const workspace = createWorkspace(requested, { id, createdBy: 'test', now: START });
    const store = new WorkspaceStore(this.#observer.aws.dynamo, this.#stage.name('Workspaces'));
    await store.create(workspace, listsOf(this.#observer.aws.dynamo, this.#stage));
  }

  async addDestination(
    workspaceId: string,
    url: string,
    headers: Record<string, string>,
    change: Partial<StoredDestination> = {},
  ): Promise<void> {
    const { dynamo, kms } = this.#observer.aws;
    const sealed = await sealHeaders(headers, workspaceId, { kms, kmsKeyId: this.#kmsKeyId });
    const destination = aDestination({ workspace_id: workspaceId, url, ...change, ...sealed });
    await new DestinationStore(dynamo, this.#destinations).replace(undefined, destination);
  }

  /** Writes the event and sends its message, like the end of a job. */
  addEvent = (event: WebhookEvent): Promise<void> => this.#observer.add(event);

  /** Whether the workspace could send a webhook to this host now. */
  async hasPlaceFor(workspaceId: string, host: string): Promise<boolean> {
    const { now } = this.world.clock;
    const lanes = new LaneStore(this.#observer.aws.dynamo, this.#stage.name('Webhooks-Hosts'), LIMITS);
    const lapsesAt = now().getTime() + TIMEOUT;
    const place = await lanes.enter({ workspaceId, host }, { now: now(), lapsesAt, token: 'observer' });
    if (place !== undefined) await lanes.leave({ workspaceId, host }, place);
    return place !== undefined;
  }

  /** The outbox's rows by type and status. */
  async rows(): Promise<string[]> {
    const { aws, tables } = this.#observer;
    const { Items = [] } = await aws.dynamo.send(new ScanCommand({ TableName: tables.events }));
    return Items.map(({ type, status }) => `${type} ${status}`).sort();
  }

  /** @param step minutes between two rounds, each with a sweep and a look at the queue */
  async run(minutes: number, step = 1): Promise<void> {
    for (let minute = 0; minute < minutes; minute += step) {
      await this.#deliverAll();
      await this.world.clock.wait(step * MINUTE);
      await this.#observer.sweepEvents(this.#sweeping);
    }
  }

  #startDeliverer(): Instance {
    const deliverer = new StageProcess(this.world, this.#stage, 'deliverer');
    const { dynamo, kms, process } = deliverer.aws;
    const { now, events } = deliverer;
    const workspaces = new WorkspaceStore(dynamo, this.#stage.name('Workspaces'));
    const trace = traceDestinations({
      fetch: this.#fetch,
      now,
      openHeaders: headerOpener(kms, this.#kmsKeyId),
      destinations: new DestinationStore(dynamo, this.#destinations),
      countTrace: (outcome) => void this.outcomes.push(outcome),
      log: SILENT,
    });
    const post: EventPorts['post'] = async (_, { id }) => {
      this.webhooks.push(id);
      return { status: 204, aborts: false };
    };
    const isWanted = (id: string) => workspaces.wantsBroadcasts(id);
    const ports: EventPorts = deliverer.eventPorts(post, {
      destinationOf: (event) => (isTrace(event) ? trace(event) : webhookDestinations(ports)(event)),
      broadcast: (event) => broadcastEnd(event, { isWanted, events, queue: ports.queue, now }),
      lanes: new LaneStore(dynamo, this.#stage.name('Webhooks-Hosts'), LIMITS),
    });
    const take = (message: EventMessage) =>
      stepOrLeave(message.event_id, () => deliverEvent(message, ports), ports);
    return { process, take };
  }

  #fetch: typeof fetch = async (input, init) => {
    const { url, headers, body } = { url: String(input), headers: init?.headers, body: init?.body };
    const text = await new Response(body ?? null).text();
    this.traces.push({ url, headers: new Headers(headers), body: text });
    return this.answer();
  };

  /** Delivers ten messages at a time until the queue is empty. */
  async #deliverAll(): Promise<void> {
    const { events } = this.#observer.queues;
    while ((await this.#observer.consume(events, ({ Body = '' }) => this.#take(JSON.parse(Body)))) > 0);
  }

  /** @returns whether the message is done; otherwise it comes back */
  async #take(message: EventMessage): Promise<boolean> {
    this.#deliverer ??= this.#startDeliverer();
    const { take, process } = this.#deliverer;
    const ending = await this.#observer.invoke(process, TIMEOUT, take(message));
    if (ending === 'died') this.#deliverer = undefined;
    return ending === 'done';
  }
}

const URL = 'https://traces.genway.dev/v1/traces';
/** The webhooks of `endedEvent` go to the same host. */
const SAME_HOST = 'https://receiver.example/v1/traces';
const HEADERS = { authorization: 'Basic c2VjcmV0' };

async function openStage({ wants = true, destination = true } = {}): Promise<TracedStage> {
  const stage = new TracedStage();
  await stage.addWorkspace('ws-1', wants);
  if (destination) await stage.addDestination('ws-1', URL, HEADERS);
  return stage;
}

const jobId = (number: number) => `vid_${String(number).padStart(26, '0')}`;
const eventOf = (number: number) => endedEvent({ id: jobId(number) });
const ENDED = 'video.generation.completed delivered';

describe('the end of a generation', () => {
  test('is a webhook and a span, each sent once', async () => {
    const stage = await openStage();
    await stage.addEvent(endedEvent());
    await stage.run(2);
    expect(stage.webhooks).toEqual([endedEvent().id]);
    expect(stage.traces).toHaveLength(1);
    const [{ url, headers, body }] = stage.traces as [(typeof stage.traces)[number]];
    expect([url, headers.get('authorization')]).toEqual([URL, HEADERS.authorization]);
    expect(decodeSpan(body)).toMatchObject(spanIds('vid_01jg000000000000000000000a'));
    expect(stage.outcomes).toEqual(['sent']);
    expect(await stage.rows()).toEqual(['trace delivered', ENDED]);
  });

  test('makes no span if the workspace does not want one', async () => {
    const stage = await openStage({ wants: false });
    await stage.addEvent(endedEvent());
    await stage.run(2);
    expect([stage.traces, stage.webhooks.length]).toEqual([[], 1]);
    expect(await stage.rows()).toEqual([ENDED]);
  });

  test('is counted as skipped if there is no destination', async () => {
    const stage = await openStage({ destination: false });
    await stage.addEvent(endedEvent());
    await stage.run(2);
    expect([stage.traces, stage.outcomes]).toEqual([[], ['no_destination']]);
    expect(await stage.rows()).toEqual(['trace no_address', ENDED]);
  });

  test('is left out where its destination chooses others', async () => {
    const stage = await openStage({ destination: false });
    await stage.addDestination('ws-1', URL, HEADERS, { api_key_hashes: ['another'] });
    await stage.addEvent(endedEvent());
    await stage.run(2);
    expect([stage.traces, stage.outcomes]).toEqual([[], ['left_out']]);
    expect(await stage.rows()).toEqual(['trace no_address', ENDED]);
  });

  test('is sent where the key of its job is chosen', async () => {
    const stage = await openStage({ destination: false });
    const event = endedEvent();
    await stage.addDestination('ws-1', URL, HEADERS, { api_key_hashes: [event.key_hash ?? ''] });
    await stage.addEvent(event);
    await stage.run(2);
    expect([stage.traces.length, stage.outcomes]).toEqual([1, ['sent']]);
  });

  test('is sent again to a webhook that fails, as other webhooks are', async () => {
    const stage = await openStage({ destination: false });
    await stage.addDestination('ws-1', URL, HEADERS, { type: 'webhook' });
    const answers = [500, 200];
    stage.answer = async () => new Response('', { status: answers.shift() ?? 200 });
    await stage.addEvent(endedEvent());
    await stage.run(5);
    expect(stage.outcomes).toEqual(['retried', 'sent']);
  });

  test('is sent again while its destination is busy, as the same request', async () => {
    const stage = await openStage();
    const answers = [503, 502, 200];
    stage.answer = async () => new Response('', { status: answers.shift() ?? 200 });
    await stage.addEvent(endedEvent());
    await stage.run(5);
    expect(new Set(stage.traces.map(({ body }) => body)).size).toBe(1);
    expect(stage.outcomes).toEqual(['retried', 'retried', 'sent']);
  });

  test('is given up when its destination refuses it', async () => {
    const stage = await openStage();
    stage.answer = async () => new Response('', { status: 400 });
    await stage.addEvent(endedEvent());
    await stage.run(5);
    expect(stage.outcomes).toEqual(['dropped']);
    expect(await stage.rows()).toEqual(['trace failed', ENDED]);
  });

  test('is given up when its destination has been busy for 76 hours', async () => {
    const stage = await openStage();
    stage.answer = async () => new Response('', { status: 503 });
    await stage.addEvent(endedEvent());
    await stage.run(80 * 60, 15);
    expect(stage.outcomes).toEqual([...Array(10).fill('retried'), 'dropped']);
  });
});

test('a hanging destination delays no webhook of its workspace, and nothing of another', async () => {
  const stage = await openStage({ destination: false });
  await stage.addWorkspace('ws-2', true);
  await stage.addDestination('ws-2', 'https://other.genway.dev/v1/traces', {});
  let hanging = 0;
  let most = 0;
  const places: boolean[] = [];
  stage.answer = async () => {
    const sent = stage.traces.at(-1);
    if (sent?.url !== SAME_HOST) return new Response('{}');
    most = Math.max(most, ++hanging);
    await stage.world.clock.wait(14_000);
    // All webhooks have been sent by now.
    if (hanging === 2) places.push(await stage.hasPlaceFor('ws-1', 'receiver.example'));
    await stage.world.clock.wait(1_000);
    hanging--;
    throw new DOMException('over', 'TimeoutError');
  };
  await stage.addDestination('ws-1', SAME_HOST, {});
  for (let i = 0; i < 8; i++) await stage.addEvent(eventOf(i));
  const other = endedEvent({ id: jobId(9), workspace_id: 'ws-2' });
  await stage.addEvent(other);
  await stage.run(4);
  expect(stage.webhooks).toHaveLength(9);
  expect(stage.traces.filter(({ url }) => url !== SAME_HOST)).toHaveLength(1);
  // The workspace may use four places, and the host only two of them.
  expect(most).toBe(2);
  expect(new Set(places)).toEqual(new Set([true]));
});

/** The SDK makes three attempts. */
const TRIES = 3;
const FAULTS: readonly Fault[] = ['error', 'answer lost', 'crash before', 'crash after'];

/**
 * A fault at one call of the deliverer and at all retries of that call. @param at the call's number, from the first one
 */
function faultFrom(at: number, fault: Fault) {
  let seen = 0;
  let first: Call | undefined;
  let left = fault === 'error' ? TRIES : 1;
  return (call: Call): Fault | undefined => {
    if (call.process !== 'deliverer' || ++seen < at) return undefined;
    first ??= call;
    if (call.operation !== first.operation || left-- <= 0) return undefined;
    return faultsOf(call).includes(fault) ? fault : undefined;
  };
}

describe('with a fault in one call to AWS', () => {
  test.each(FAULTS)('“%s”: the webhook and the same span are still delivered', async (fault) => {
    const smooth = await openStage();
    await smooth.addEvent(endedEvent());
    const before = smooth.world.journal.calls.length;
    await smooth.run(2);
    const calls = smooth.world.journal.calls
      .slice(before)
      .filter(({ process }) => process === 'deliverer').length;
    expect(calls).toBeGreaterThan(12);
    for (let at = 1; at <= calls; at++) {
      const stage = await openStage();
      stage.world.faults = faultFrom(at, fault);
      await stage.addEvent(endedEvent());
      await stage.run(12);
      expect([at, await stage.rows()]).toEqual([at, ['trace delivered', ENDED]]);
      expect(new Set(stage.traces.map(({ body }) => body))).toEqual(new Set([smooth.traces[0]?.body]));
      expect(stage.traces.length).toBeLessThanOrEqual(2);
      expect(stage.webhooks.length).toBeGreaterThan(0);
    }
  });
});
