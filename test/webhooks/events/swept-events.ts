import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { SqsFairQueue } from '../../../functions/aws/fair-queue.ts';
import { OverdueRows, sweepOverdue } from '../../../functions/sweeping/sweep.ts';
import {
  dueRowSchema,
  type LeavePorts,
  SweptRows,
  stepOrLeave,
} from '../../../functions/sweeping/swept-rows.ts';
import { type DeliverPorts, deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import { type WebhookPorts, webhookDestinations } from '../../../functions/webhooks/delivery/destination.ts';
import { StreakStore } from '../../../functions/webhooks/delivery/host-health.ts';
import { LaneStore } from '../../../functions/webhooks/delivery/lane-store.ts';
import { EVENT_ROWS, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import {
  EventQuarantine,
  GRACE_MILLISECONDS,
  type SweepEventPorts,
  sweepEvent,
} from '../../../functions/webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../../../functions/webhooks/settings/webhook-settings.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { START } from './event-fixture.ts';

const MINUTE = 60_000;

/** The deliverer and its sweeper with the stage's tables and queue. They run minute by minute. */
export class SweptEvents {
  readonly world = new AwsWorld({ start: START });
  readonly #stage = new DeployedStage(this.world);
  readonly #aws = this.world.startProcess();
  readonly table = this.#stage.name('Webhooks-Events');
  readonly #queueUrl = this.#stage.name('Webhooks-Queue');
  readonly events = new EventStore(this.#aws.dynamo, this.table);
  readonly quarantine = new EventQuarantine(this.#aws.dynamo, this.table);
  /** The ids of events whose request was sent. */
  readonly sent: string[] = [];
  /** The ids of events whose message reached a worker. */
  readonly received: string[] = [];
  quarantined = 0;
  hasDeliverers = true;
  /** Runs after a worker got its message and before it sends the request. */
  beforeRequest = async (): Promise<void> => undefined;
  readonly ports: DeliverPorts & WebhookPorts & SweepEventPorts & LeavePorts;

  constructor() {
    const { dynamo, sqs } = this.#aws;
    const { now } = this.world.clock;
    const hosts = this.#stage.name('Webhooks-Hosts');
    let tokens = 0;
    this.ports = {
      destinationOf: (event) => webhookDestinations(this.ports)(event),
      broadcast: async () => undefined,
      events: this.events,
      sweptRows: new SweptRows(dynamo, this.table, EVENT_ROWS),
      quarantine: this.quarantine,
      countQuarantined: () => void this.quarantined++,
      settings: new WebhookSettingsStore(dynamo, this.#stage.name('Webhooks-Settings')),
      lanes: new LaneStore(dynamo, hosts, { workspace: 5, host: 3 }),
      streaks: new StreakStore(dynamo, hosts),
      secrets: {
        active: async () => {
          await this.beforeRequest();
          return [new Uint8Array(32)];
        },
      },
      queue: new SqsFairQueue<EventMessage>(sqs, this.#queueUrl),
      post: async (_, { id }) => {
        this.sent.push(id);
        return { status: 200, aborts: false };
      },
      now,
      random: () => 0,
      newRequestId: () => `token-${tokens++}`,
      countAttempt: () => undefined,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    };
  }

  /** Adds an event with its message. Then changes fields; `undefined` removes one. */
  async add(event: WebhookEvent, change: Record<string, unknown> = {}): Promise<void> {
    await this.events.create(event);
    const row = { ...(await this.row(event.id)), ...change };
    await this.#aws.dynamo.send(new PutCommand({ TableName: this.table, Item: row }));
    await this.ports.queue.send({ v: 1, event_id: event.id, attempt: 1 }, event.workspace_id, 0);
  }

  async change(id: string, change: Record<string, unknown>): Promise<void> {
    const Item = { ...(await this.row(id)), ...change };
    await this.#aws.dynamo.send(new PutCommand({ TableName: this.table, Item }));
  }

  async row(id: string): Promise<Record<string, unknown>> {
    const get = new GetCommand({ TableName: this.table, Key: { id }, ConsistentRead: true });
    return (await this.#aws.dynamo.send(get)).Item ?? {};
  }

  async run(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      if (this.hasDeliverers) await this.#deliverAll();
      await this.world.clock.wait(MINUTE);
      await this.#sweep();
    }
  }

  #sweep(): Promise<void> {
    const rows = new OverdueRows(this.#aws.dynamo, this.table);
    const overdue = { rows, schema: dueRowSchema, graceMilliseconds: GRACE_MILLISECONDS };
    const { now, log } = this.ports;
    const ports = { now, log, tellUnreadable: () => undefined };
    return sweepOverdue(overdue, (row) => sweepEvent(row, this.ports), ports);
  }

  async #deliverAll(): Promise<void> {
    const QueueUrl = this.#queueUrl;
    for (;;) {
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await this.#aws.sqs.send(receive);
      if (Messages.length === 0) return;
      for (const { Body = '', ReceiptHandle } of Messages) {
        const message: EventMessage = JSON.parse(Body);
        this.received.push(message.event_id);
        await stepOrLeave(message.event_id, () => deliverEvent(message, this.ports), this.ports);
        await this.#aws.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
  }
}
