import { describe, expect, test } from '@jest/globals';
import type { Verdict } from '../../../functions/webhooks/delivery/judge-answer.ts';
import {
  type WebhookPorts,
  webhookDestinations,
} from '../../../functions/webhooks/delivery/webhook-destination.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { anEvent, START } from '../events/event-fixture.ts';

const DEFAULT = 'https://default.example:8443/hook?token=secret';
const GONE: Verdict = { status: 'failed', isGone: true };
const LOST: Verdict = { status: 'failed', isGone: false };
const DAY = 86_400_000;
const lately = { failingSince: START.getTime(), failures: 1, latest: [] };
const long = { failingSince: START.getTime() - 5 * DAY, failures: 20, latest: [] };

function withoutAddress(): WebhookEvent {
  const { callback_url: _, ...event } = anEvent();
  return event;
}

async function start(event: WebhookEvent) {
  const calls: unknown[] = [];
  const secret = new Uint8Array(32);
  const ports: WebhookPorts = {
    settings: {
      find: async () => ({
        default_callback_url: DEFAULT,
        disabled: null,
        secret_version: 1,
        retiring_secrets: [],
      }),
      disableDefault: async (...call) => void calls.push(['disabled', ...call]),
    },
    secrets: {
      active: async (workspaceId, _, now) => {
        calls.push([workspaceId, now]);
        return [secret];
      },
    },
    post: async (...call) => {
      calls.push(call);
      return { status: 204, aborts: false };
    },
    now: () => START,
    countAttempt: (outcome) => void calls.push(outcome),
    log: { warn: (...said) => void calls.push(said) },
  };
  const destination = await webhookDestinations(ports)(event);
  return { destination: destination!, calls, secret };
}

describe('the destination of an event', () => {
  test('is logged, counted and limited by its host, and sent to with the secrets of the workspace', async () => {
    const event = withoutAddress();
    const { destination, calls, secret } = await start(event);
    expect(destination).toMatchObject({
      message: 'webhook attempted',
      url: DEFAULT,
      host: 'default.example:8443',
      lane: 'default.example:8443',
    });
    expect(await destination.post(event, 'request-1')).toEqual({ status: 204, aborts: false });
    destination.countAttempt('2xx', { status: 'delivered' });
    expect(calls).toEqual([[event.workspace_id, START], [DEFAULT, event, [secret], 'request-1'], '2xx']);
  });

  test.each([
    ['is gone', GONE, lately, 'gone'],
    ['is gone after failing for long', GONE, long, 'gone'],
    ['has failed for long', LOST, long, 'failing'],
    [
      'has failed for long, and is tried again',
      { status: 'pending', delaySeconds: 5, refused: false },
      long,
      'failing',
    ],
  ] as const)(
    'that %s is disabled as the default, and the log names its host',
    async (_, verdict, streak, reason) => {
      const event = withoutAddress();
      const { destination, calls } = await start(event);
      await destination.noteFailure(event, verdict, streak, START);
      const { workspace_id } = event;
      expect(calls).toEqual([
        ['disabled', workspace_id, DEFAULT, { reason, at: START.toISOString() }],
        ['default webhook address disabled', { workspace_id, host: 'default.example:8443', reason }],
      ]);
    },
  );

  test.each([
    ['fails for the first time', withoutAddress(), LOST, lately],
    ['is gone, but the job’s own', anEvent(), GONE, long],
  ] as const)('that %s disables nothing', async (_, event, verdict, streak) => {
    const { destination, calls } = await start(event);
    await destination.noteFailure(event, verdict, streak, START);
    expect(calls).toEqual([]);
  });
});
