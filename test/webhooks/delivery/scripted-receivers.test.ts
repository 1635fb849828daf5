import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import { postEvent } from '../../../functions/webhooks/delivery/post-event.ts';
import { deliverySigner } from '../../../functions/webhooks/signature.ts';
import { certificate, testAuthority } from '../../certificates.ts';
import { type LocalServer, openServer } from '../../local-server.ts';
import { anEvent, START } from '../events/event-fixture.ts';
import { DeliveryWorld } from './delivery-world.ts';
import { expectGaps, WHOLE_SCHEDULE } from './gaps.ts';

/** In real time. Answers that never end are cut after this; all others have enough time even on a busy machine. */
const ENDLESS_MILLISECONDS = 250;
const PATIENT_MILLISECONDS = 30_000;

const status = (code: number, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(code, headers).end(code === 204 ? undefined : 'an answer');
};
const taken = status(204);
const hang: RequestListener = () => undefined;
const drip: RequestListener = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 20);
  response.once('close', () => clearInterval(timer));
};
const reset: RequestListener = (request) => request.socket.destroy();
const resetMidAnswer: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy());
};
const inTime = (seconds: number) => new Date(START.getTime() + seconds * 1000).toUTCString();

interface Script {
  /** The answers in order. The last one is repeated. */
  readonly answers: readonly [RequestListener, ...RequestListener[]];
  readonly tls?: ReturnType<typeof certificate>;
  readonly waits: readonly number[];
  readonly outcomes: readonly string[];
  readonly ends: 'delivered' | 'failed';
}

const always = (answer: RequestListener, outcome: string): Script => ({
  answers: [answer],
  waits: WHOLE_SCHEDULE,
  outcomes: WHOLE_SCHEDULE.map(() => outcome),
  ends: 'failed',
});
const once = (answer: RequestListener, outcome: string, ends: Script['ends']): Script => ({
  answers: [answer],
  waits: [0],
  outcomes: [outcome],
  ends,
});
/** Answers that are no success, followed by a success. */
const afterWaits = (answers: Script['answers'], outcomes: string[], waits: number[]): Script => ({
  answers: [...answers, taken],
  waits: [0, ...waits],
  outcomes: [...outcomes, '2xx'],
  ends: 'delivered',
});
const untrusted: Script = {
  answers: [taken],
  tls: certificate('other.example'),
  waits: [0, 300],
  outcomes: ['tls_failed', 'tls_failed'],
  ends: 'failed',
};

const scripts: Readonly<Record<string, Script>> = {
  'answers 200': once(status(200), '2xx', 'delivered'),
  'answers 201': once(status(201), '2xx', 'delivered'),
  'answers 204': once(taken, '2xx', 'delivered'),
  'is reached over TLS': { ...once(taken, '2xx', 'delivered'), tls: certificate('localhost') },
  redirects: always(status(302, { location: '/elsewhere' }), '3xx'),
  'redirects permanently': always(status(308, { location: '/elsewhere' }), '3xx'),
  'answers 404': always(status(404), '4xx'),
  'answers 500': always(status(500), '5xx'),
  'answers 410': once(status(410), '4xx', 'failed'),
  'asks for no more attempts': once(status(500, { 'webhook-delivery': 'abort-message' }), '5xx', 'failed'),
  'is broken for a while': afterWaits(
    [status(500), status(502), status(504)],
    ['5xx', '5xx', '5xx'],
    [5, 60, 300],
  ),
  'asks for two minutes': afterWaits([status(429, { 'retry-after': '120' })], ['4xx'], [120]),
  'asks for less than our pause': afterWaits([status(503, { 'retry-after': '1' })], ['5xx'], [5]),
  'asks for a date': afterWaits([status(503, { 'retry-after': inTime(600) })], ['5xx'], [600]),
  'asks for a date in the past': afterWaits([status(429, { 'retry-after': inTime(-600) })], ['4xx'], [5]),
  'asks for an hour': afterWaits([status(429, { 'retry-after': '3600' })], ['4xx'], [3600]),
  'asks for a week': afterWaits([status(503, { 'retry-after': '604800' })], ['5xx'], [86_400]),
  'asks for a pause with a 500': afterWaits([status(500, { 'retry-after': '600' })], ['5xx'], [5]),
  'never answers': afterWaits([hang, hang], ['timed_out', 'timed_out'], [5, 60]),
  'answers byte by byte': afterWaits([drip, drip], ['timed_out', 'timed_out'], [5, 60]),
  'hangs up': afterWaits([reset], ['connection_failed'], [5]),
  'hangs up within its answer': afterWaits([resetMidAnswer], ['connection_failed'], [5]),
  'has a certificate for another name': untrusted,
  'fails in every way': afterWaits(
    [status(302), reset, hang, status(500), resetMidAnswer],
    ['3xx', 'connection_failed', 'timed_out', '5xx', 'connection_failed'],
    [5, 60, 300, 1800, 7200],
  ),
};

const sign = await deliverySigner([new Uint8Array(32)], async () => new Uint8Array(32), 'native');
const egressFor = (deadlineMilliseconds: number) =>
  createEgress({
    allowed: new Set(['127.0.0.1', 'localhost']),
    deadlineMilliseconds,
    connectMilliseconds: PATIENT_MILLISECONDS,
    ca: testAuthority,
  });
const impatient = egressFor(ENDLESS_MILLISECONDS);
const patient = egressFor(PATIENT_MILLISECONDS);
/** The answers that each event's receiver still has to give. */
const turns = new Map<string, RequestListener[]>();
const isEndless = (answer?: RequestListener) => answer === hang || answer === drip;

const world: DeliveryWorld = new DeliveryWorld((url, event, _secrets, requestId) =>
  postEvent(url, event, sign, requestId, {
    fetch: isEndless(turns.get(event.id)?.[0]) ? impatient : patient,
    now: () => new Date(world.now),
  }),
);
const receivers = new Map<string, LocalServer>();
const names = Object.keys(scripts);
const idOf = (name: string) => `msg_${String(names.indexOf(name)).padStart(26, '0')}`;

/** Runs all scripts at the same time, for the 76 hours of the longest schedule. */
beforeAll(async () => {
  for (const [name, { answers, tls }] of Object.entries(scripts)) {
    const rest = [...answers];
    turns.set(idOf(name), rest);
    const answer: RequestListener = (...exchange) =>
      (rest.length > 1 ? rest.shift() : rest[0])?.(...exchange);
    const receiver = await openServer(answer, tls);
    receivers.set(name, receiver);
    await world.add(anEvent({ id: idOf(name), callback_url: `${receiver.url}/hook` }));
  }
  await world.run(76 * 3600);
});

afterAll(() => Promise.all([...receivers.values()].map((receiver) => receiver.close())));

describe('a receiver that', () => {
  test.each(names)('%s', async (name) => {
    const { waits, outcomes, ends } = scripts[name]!;
    expectGaps(
      world.sent.filter(({ id }) => id === idOf(name)),
      waits,
    );
    const row = (await world.events.find(idOf(name)))!;
    expect(row.history.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(row).toMatchObject({ status: ends, attempts: outcomes.length, lease_until: 0 });
  });

  test.each(names)('%s gets the same body each time, with a new number and date', (name) => {
    const { received } = receivers.get(name)!;
    const header = (wanted: string) => received.map(({ headers }) => headers[wanted]);
    expect(new Set([idOf(name), ...header('webhook-id')]).size).toBe(1);
    expect(new Set([anEvent().body, ...received.map(({ body }) => body)]).size).toBe(1);
    expect(header('x-webhook-attempt')).toEqual(received.map((_, i) => String(i + 1)));
    const times = header('webhook-timestamp').map(Number);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});

test('after 76 hours no event is open', async () => {
  expect(world.messages).toEqual([]);
  const events = await Promise.all(names.map((name) => world.events.find(idOf(name))));
  expect(events.filter((event) => event?.status === 'pending')).toEqual([]);
});
