/**
 * 2,000 events through the deliverer's own functions, with AWS in memory and real receivers on this machine: 20 fast
 * ones and a slow one; then the same with an additional dead one. Trust the ratios, not the figures:
 * `npx node bench/webhooks.ts`
 */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress } from '../functions/egress/egress-fetch.ts';
import { deliverEvent } from '../functions/webhooks/delivery/deliver-event.ts';
import { LaneStore } from '../functions/webhooks/delivery/lane-store.ts';
import { postEvent } from '../functions/webhooks/delivery/post-event.ts';
import { newEvent } from '../functions/webhooks/events/event.ts';
import type { EventMessage } from '../functions/webhooks/events/event-queue.ts';
import { deliverySigner } from '../functions/webhooks/signature.ts';
import { DeployedStage } from '../test/deployed/deployed-stage.ts';
import { type EventPorts, StageProcess } from '../test/deployed/stage-process.ts';
import { AwsWorld } from '../test/engines/index.ts';

const EVENTS = 2_000;
const LIVE_HOSTS = 20;
/** Workers at once, as on a stage: invocations with ten messages each. */
const WORKERS = 100;
/** All hosts belong to one workspace, which has enough slots for all of them. */
const LIMITS = { workspace: 10 * (LIVE_HOSTS + 2), host: 10 };
/** How long a second of the schedule takes here; the receivers' own time is real. */
const SECOND = 20;
const DEAD_EVENTS = 200;
const SLOW_EVENTS = 200;
const SLOW_MILLISECONDS = 50;
const DEADLINE_MILLISECONDS = 2_000;
const BODY = JSON.stringify({ type: 'webhook.test', data: { text: 'x'.repeat(500) } });

interface Host {
  readonly server: Server;
  readonly url: string;
  readonly seen: Map<string, number>;
  inFlight: number;
  most: number;
}

async function openHost(answer: RequestListener): Promise<Host> {
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    host.seen.set(id, (host.seen.get(id) ?? 0) + 1);
    host.most = Math.max(host.most, ++host.inFlight);
    response.once('close', () => host.inFlight--);
    request.resume().once('end', () => answer(request, response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const host: Host = { server, url: `http://127.0.0.1:${port}/`, seen: new Map(), inFlight: 0, most: 0 };
  return host;
}

const atOnce: RequestListener = (_, response) => response.writeHead(204).end();
const slowly: RequestListener = (_, response) =>
  void setTimeout(() => response.writeHead(204).end(), SLOW_MILLISECONDS);
const never: RequestListener = () => undefined;

const egress = createEgress({
  allowed: new Set(['127.0.0.1']),
  deadlineMilliseconds: DEADLINE_MILLISECONDS,
});
const sign = await deliverySigner([new Uint8Array(32)], async () => new Uint8Array(32), 'native');

/** Gives due messages to any free worker; a delay takes as long as `SECOND` says. */
class Queue {
  readonly #due: EventMessage[] = [];
  readonly #handle: (message: EventMessage) => Promise<void>;
  #busy = 0;

  constructor(handle: (message: EventMessage) => Promise<void>) {
    this.#handle = handle;
  }

  async send(message: EventMessage, _group: string, delaySeconds: number): Promise<void> {
    setTimeout(() => {
      this.#due.push(message);
      this.#next();
    }, delaySeconds * SECOND);
  }

  #next(): void {
    while (this.#busy < WORKERS) {
      const message = this.#due.shift();
      if (message === undefined) return;
      this.#busy++;
      void this.#handle(message).finally(() => {
        this.#busy--;
        this.#next();
      });
    }
  }
}

interface Target {
  readonly host: Host;
  readonly events: number;
}

/** @returns the milliseconds until all wanted deliveries were made */
async function deliverAll(targets: readonly Target[], wanted: number): Promise<number> {
  const world = new AwsWorld({ latency: () => 0, keepsCalls: false, countsUnits: false });
  const stage = new DeployedStage(world);
  const now = () => new Date();
  const deliverer = new StageProcess(world, stage, 'deliverer', now);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let delivered = 0;
  const post: EventPorts['post'] = (url, event, _secrets, requestId) =>
    postEvent(url, event, sign, requestId, { fetch: egress, now });
  const ports = deliverer.eventPorts(post, {
    lanes: new LaneStore(deliverer.aws.dynamo, stage.name('Webhooks-Hosts'), LIMITS),
    queue: { send: (...message) => queue.send(...message) },
    random: Math.random,
    countAttempt: (outcome) => {
      if (outcome === '2xx' && ++delivered === wanted) resolve();
    },
  });
  const queue = new Queue((message) => deliverEvent(message, ports));
  const start = performance.now();
  const ids = targets.flatMap(({ host, events: count }) =>
    Array.from({ length: count }, () => ({ id: `msg_${randomUUID()}`, callback_url: host.url })),
  );
  // Mixes the dead host's events with the others, as in real life.
  ids.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const content of ids) {
    const event = newEvent({ ...content, workspace_id: 'bench', type: 'webhook.test', body: BODY }, now());
    await deliverer.events.create(event);
    await queue.send({ v: 1, event_id: event.id, attempt: 1 }, 'bench', 0);
  }
  await done;
  return performance.now() - start;
}

async function measure(withDead: boolean) {
  const perHost = (EVENTS - SLOW_EVENTS) / LIVE_HOSTS;
  const targets: Target[] = [{ host: await openHost(slowly), events: SLOW_EVENTS }];
  for (let i = 0; i < LIVE_HOSTS; i++) targets.push({ host: await openHost(atOnce), events: perHost });
  const dead = { host: await openHost(never), events: DEAD_EVENTS };
  const milliseconds = await deliverAll(withDead ? [...targets, dead] : targets, EVENTS);
  const counts = targets.flatMap(({ host }) => [...host.seen.values()]);
  const most = Math.max(...[...targets, dead].map(({ host }) => host.most));
  for (const { host } of [...targets, dead]) host.server.close();
  return {
    'events/s': Math.round(EVENTS / (milliseconds / 1000)),
    delivered: counts.length,
    'sent more than once': counts.filter((count) => count > 1).length,
    'most in flight to a host': `${most} of ${LIMITS.host}`,
    milliseconds: Math.round(milliseconds),
  };
}

// The first round is only a warm-up.
await measure(false);
const alone = await measure(false);
const besideDead = await measure(true);
console.table({ 'all alive': alone, 'one host dead': besideDead });
console.log(`with a dead host / without: ${(besideDead.milliseconds / alone.milliseconds).toFixed(2)}`);
// The dead host's events still wait for their schedule, so the process must be ended.
process.exit(alone.delivered === EVENTS && besideDead.delivered === EVENTS ? 0 : 1);
