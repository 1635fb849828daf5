import { describe, expect, test } from '@jest/globals';
import { spanIds } from '../../functions/broadcast/otlp-request.ts';
import { type Call, type Fault, faultsOf } from '../engines/index.ts';
import { endedEvent } from './ended-event.ts';
import { decodeSpan } from './otlp-schema.ts';
import { TracedStage } from './traced-stage.ts';

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
  const stage = await openStage();
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
