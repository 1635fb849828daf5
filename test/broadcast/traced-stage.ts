import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { SqsFairQueue } from '../../functions/aws/fair-queue.ts';
import { DestinationStore } from '../../functions/broadcast/destination-store.ts';
import { headerOpener, sealHeaders } from '../../functions/broadcast/sealed-headers.ts';
import {
  broadcastEnd,
  isTrace,
  type TraceOutcome,
  traceDestinations,
} from '../../functions/broadcast/trace.ts';
import { OverdueRows, sweepOverdue } from '../../functions/sweeping/sweep.ts';
import { dueRowSchema, SweptRows, stepOrLeave } from '../../functions/sweeping/swept-rows.ts';
import { deliverEvent } from '../../functions/webhooks/delivery/deliver-event.ts';
import { webhookDestinations } from '../../functions/webhooks/delivery/destination.ts';
import { StreakStore } from '../../functions/webhooks/delivery/host-health.ts';
import { LaneStore } from '../../functions/webhooks/delivery/lane-store.ts';
import { EVENT_ROWS, type WebhookEvent } from '../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../functions/webhooks/events/event-queue.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import {
  EventQuarantine,
  GRACE_MILLISECONDS,
  sweepEvent,
} from '../../functions/webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../../functions/webhooks/settings/webhook-settings.ts';
import { createWorkspace, newWorkspaceSchema } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { START } from '../videos/jobs/job-fixture.ts';

const MINUTE = 60_000;
/** How many requests a workspace and a host may have at the same time. */
const LIMITS = { workspace: 4, host: 2 };
/** The deliverer's Lambda timeout. */
const TIMEOUT = 40_000;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface SentTrace {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

interface Instance {
  readonly crashed: Promise<unknown>;
  readonly take: (message: EventMessage) => Promise<void>;
}

/**
 * The deliverer and its sweeper, with the stage's tables, queue and key. They deliver events of ended jobs, and may
 * crash.
 */
export class TracedStage {
  readonly world = new AwsWorld({ start: START });
  /** The requests that trace destinations received. */
  readonly traces: SentTrace[] = [];
  /** The ids of the events whose webhook was received. */
  readonly webhooks: string[] = [];
  readonly outcomes: TraceOutcome[] = [];
  /** The destination's next answers. */
  answer: () => Promise<Response> = async () => new Response('{}');
  readonly #stage = new DeployedStage(this.world);
  readonly #observer = this.world.startProcess('observer');
  readonly #table = this.#stage.name('Webhooks-Events');
  readonly #queueUrl = this.#stage.name('Webhooks-Queue');
  readonly #kmsKeyId = this.#stage.name('ProviderKeys-Key');
  readonly #destinations = this.#stage.name('Broadcast');
  #deliverer: Instance | undefined;
  #tokens = 0;

  async addWorkspace(id: string, wantsTraces: boolean): Promise<void> {
    const requested = v.parse(newWorkspaceSchema, {
      name: 'Traced',
      slug: id,
      is_observability_broadcast_enabled: wantsTraces,
    });
    const workspace = createWorkspace(requested, { id, createdBy: 'test', now: START });
    const store = new WorkspaceStore(this.#observer.dynamo, this.#stage.name('Workspaces'));
    await store.create(workspace, listsOf(this.#observer.dynamo, this.#stage));
  }

  async addDestination(workspaceId: string, url: string, headers: Record<string, string>): Promise<void> {
    const { dynamo, kms } = this.#observer;
    await new DestinationStore(dynamo, this.#destinations).put({
      workspace_id: workspaceId,
      url,
      ...(await sealHeaders(headers, workspaceId, { kms, kmsKeyId: this.#kmsKeyId })),
      updated_at: START.toISOString(),
    });
  }

  /** Writes the event and sends its message, like the end of a job. */
  async addEvent(event: WebhookEvent): Promise<void> {
    const { dynamo, sqs } = this.#observer;
    await new EventStore(dynamo, this.#table).create(event);
    const queue = new SqsFairQueue<EventMessage>(sqs, this.#queueUrl);
    await queue.send({ v: 1, event_id: event.id, attempt: 1 }, event.workspace_id, 0);
  }

  /** Whether the workspace could send a webhook to this host now. */
  async hasPlaceFor(workspaceId: string, host: string): Promise<boolean> {
    const { now } = this.world.clock;
    const lanes = new LaneStore(this.#observer.dynamo, this.#stage.name('Webhooks-Hosts'), LIMITS);
    const lapsesAt = now().getTime() + TIMEOUT;
    const place = await lanes.enter({ workspaceId, host }, { now: now(), lapsesAt, token: 'observer' });
    if (place !== undefined) await lanes.leave({ workspaceId, host }, place);
    return place !== undefined;
  }

  /** The outbox's rows by type and status. */
  async rows(): Promise<string[]> {
    const { Items = [] } = await this.#observer.dynamo.send(new ScanCommand({ TableName: this.#table }));
    return Items.map(({ type, status }) => `${type} ${status}`).sort();
  }

  /** @param step minutes between two rounds, each with a sweep and a look at the queue */
  async run(minutes: number, step = 1): Promise<void> {
    for (let minute = 0; minute < minutes; minute += step) {
      await this.#deliverAll();
      await this.world.clock.wait(step * MINUTE);
      await this.#sweep();
    }
  }

  #startDeliverer(): Instance {
    const { dynamo, sqs, kms, process } = this.world.startProcess('deliverer');
    const { now } = this.world.clock;
    const hosts = this.#stage.name('Webhooks-Hosts');
    const workspaces = new WorkspaceStore(dynamo, this.#stage.name('Workspaces'));
    const events = new EventStore(dynamo, this.#table);
    const queue = new SqsFairQueue<EventMessage>(sqs, this.#queueUrl);
    const trace = traceDestinations({
      fetch: this.#fetch,
      now,
      openHeaders: headerOpener(kms, this.#kmsKeyId),
      destinations: new DestinationStore(dynamo, this.#destinations),
      countTrace: (outcome) => void this.outcomes.push(outcome),
      log: SILENT,
    });
    const webhook = webhookDestinations({
      settings: new WebhookSettingsStore(dynamo, this.#stage.name('Webhooks-Settings')),
      secrets: { active: async () => [new Uint8Array(32)] },
      post: async (_, { id }) => {
        this.webhooks.push(id);
        return { status: 204, aborts: false };
      },
      now,
      countAttempt: () => undefined,
      log: SILENT,
    });
    const isWanted = (id: string) => workspaces.wantsBroadcasts(id);
    const ports = {
      events,
      queue,
      destinationOf: (event: WebhookEvent) => (isTrace(event) ? trace(event) : webhook(event)),
      broadcast: (event: WebhookEvent) => broadcastEnd(event, { isWanted, events, queue, now }),
      lanes: new LaneStore(dynamo, hosts, LIMITS),
      streaks: new StreakStore(dynamo, hosts),
      now,
      random: () => 0,
      newRequestId: () => `token-${this.#tokens++}`,
      log: SILENT,
    };
    const leaving = { sweptRows: new SweptRows(dynamo, this.#table, EVENT_ROWS), now, log: SILENT };
    return {
      crashed: process.crashed,
      take: (message) => stepOrLeave(message.event_id, () => deliverEvent(message, ports), leaving),
    };
  }

  #fetch: typeof fetch = async (input, init) => {
    const { url, headers, body } = { url: String(input), headers: init?.headers, body: init?.body };
    const text = await new Response(body ?? null).text();
    this.traces.push({ url, headers: new Headers(headers), body: text });
    return this.answer();
  };

  /** Delivers ten messages at a time until the queue is empty. */
  async #deliverAll(): Promise<void> {
    const { sqs } = this.#observer;
    const QueueUrl = this.#queueUrl;
    for (;;) {
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await sqs.send(receive);
      if (Messages.length === 0) return;
      await Promise.all(
        Messages.map(async ({ Body = '', ReceiptHandle }) => {
          if (!(await this.#take(JSON.parse(Body)))) return;
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }),
      );
    }
  }

  /** @returns whether the message is done; otherwise it comes back */
  async #take(message: EventMessage): Promise<boolean> {
    this.#deliverer ??= this.#startDeliverer();
    const { take, crashed } = this.#deliverer;
    const over = new AbortController();
    const died = () => {
      this.#deliverer = undefined;
      return false;
    };
    const done = take(message).then(
      () => true,
      () => false,
    );
    const timedOut = this.world.clock.wait(TIMEOUT, over.signal).then(died, () => false);
    const isDone = await Promise.race([done, crashed.then(died), timedOut]);
    over.abort();
    return isDone;
  }

  #sweep(): Promise<void> {
    const { dynamo, sqs } = this.#observer;
    const { now } = this.world.clock;
    const rows = new OverdueRows(dynamo, this.#table);
    const due = { rows, schema: dueRowSchema, graceMilliseconds: GRACE_MILLISECONDS };
    const ports = {
      sweptRows: new SweptRows(dynamo, this.#table, EVENT_ROWS),
      quarantine: new EventQuarantine(dynamo, this.#table),
      countQuarantined: () => undefined,
      queue: new SqsFairQueue<EventMessage>(sqs, this.#queueUrl),
      now,
      log: SILENT,
    };
    const sweeping = { now, tellUnreadable: () => undefined, log: SILENT };
    return sweepOverdue(due, (row) => sweepEvent(row, ports), sweeping);
  }
}
