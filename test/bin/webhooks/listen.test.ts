import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Delivery, type ListenOptions, listen } from '../../../bin/webhooks/listen.ts';
import { verifyWebhook } from '../../../docs/webhooks/verify.ts';
import { coloured, plain, type Style } from '../../../local/terminal/text.ts';
import { HOSTILE, OBEYED } from '../../local/terminal/hostile-text.ts';
import { type LocalServer, serve } from '../../local-server.ts';
import { aDelivery, listPage } from './api.ts';

const NOW = new Date('2026-11-21T09:43:03Z');
const SECRET = Buffer.alloc(32, 5);
const SECRET_TEXT = `whsec_${SECRET.toString('base64')}`;

let deliveries: Delivery[];
/** An error that the API returns instead of the list. */
let trouble: { status: number; body?: unknown } | undefined;
let api: LocalServer;
let app: LocalServer;

beforeEach(async () => {
  deliveries = [aDelivery('msg_old')];
  trouble = undefined;
  api = await serve(({ url }) => trouble ?? listPage(deliveries, url));
  app = await serve(() => ({ status: 204 }));
});
afterEach(async () => {
  await Promise.all([api.close(), app.close()]);
});

/** Listens while these events happen, and polls the list after each one. */
async function listenTo(
  happenings: (() => void)[],
  changes: Partial<ListenOptions> = {},
  style: Style = plain,
) {
  const lines: string[] = [];
  const bodies: string[] = [];
  const left = [...happenings];
  const options = {
    baseUrl: `${api.url}/api/v1`,
    key: 'mk-1',
    workspace: 'studio',
    forward: undefined,
    json: false,
    ...changes,
  };
  await listen(options, {
    fetch,
    now: () => NOW,
    randomBytes: () => SECRET,
    nextLook: async () => {
      const happening = left.shift();
      happening?.();
      return happening !== undefined;
    },
    tell: (line) => lines.push(line),
    emit: (body) => bodies.push(body),
    style,
  });
  return { lines, bodies };
}

const arrives =
  (id: string, changes: Partial<Delivery> = {}) =>
  () => {
    deliveries.unshift(aDelivery(id, changes));
  };

describe('listening', () => {
  test('asks for the workspace’s deliveries with the key', async () => {
    await listenTo([], { workspace: 'a b' });
    expect(api.received[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/workspaces/a%20b/webhook-deliveries?limit=100',
      headers: { authorization: 'Bearer mk-1' },
    });
  });

  test('shows each new delivery and each change', async () => {
    const { lines, bodies } = await listenTo([
      arrives('msg_1'),
      () => {
        deliveries[0] = aDelivery('msg_1', {
          status: 'delivered',
          attempts: 2,
          history: [{ outcome: '5xx' }, { outcome: '2xx' }],
        });
      },
      arrives('msg_2', { type: 'video.generation.failed', status: 'no_address' }),
    ]);
    expect(lines.slice(1)).toEqual([
      '09:43:02  video.generation.completed  msg_1  pending',
      '09:43:02  video.generation.completed  msg_1  delivered after 5xx, 2xx',
      '09:43:02  video.generation.failed  msg_2  no_address',
    ]);
    expect(bodies).toEqual([]);
    expect(app.received).toEqual([]);
  });

  test('prints only the exact bodies with --json', async () => {
    const { bodies } = await listenTo([arrives('msg_1'), arrives('msg_2')], { json: true });
    expect(bodies).toEqual([aDelivery('msg_1').body, aDelivery('msg_2').body]);
  });

  test('escapes control characters from outside', async () => {
    const changes = { type: HOSTILE, status: HOSTILE, created_at: HOSTILE, history: [{ outcome: HOSTILE }] };
    const body = JSON.stringify({ error: HOSTILE });
    const { lines, bodies } = await listenTo(
      [
        arrives(HOSTILE, { ...changes, body }),
        () => {
          trouble = { status: 500, body: { error: { message: HOSTILE } } };
        },
      ],
      { json: true },
    );
    expect(lines).toHaveLength(3);
    for (const line of [...lines, ...bodies]) expect(line).not.toMatch(OBEYED);
    expect(bodies.map((text) => JSON.parse(text))).toEqual([{ error: HOSTILE }]);
  });

  test('uses the colours of the style', async () => {
    const { lines } = await listenTo([arrives('msg_1', { status: 'failed' })], {}, coloured);
    expect(lines.at(-1)).toContain('\u001b[31mfailed\u001b[39m');
  });
});

describe('forwarding', () => {
  const forwardTo = (forward: string, ...happenings: (() => void)[]) => listenTo(happenings, { forward });

  test('posts each event once, unchanged, signed with the printed secret', async () => {
    const url = `${app.url}/hook?x=1`;
    const { lines } = await forwardTo(url, arrives('msg_1'), () => {
      deliveries[0] = aDelivery('msg_1', { status: 'failed', attempts: 1, history: [{ outcome: '4xx' }] });
    });
    expect(lines).toContain(`Forwarding events to ${url}, signed with a secret for this run: ${SECRET_TEXT}`);
    expect(lines).toContain(`          → 204 ${url}`);
    expect(app.received).toHaveLength(1);
    const [{ method, url: path, headers, body }] = app.received as [LocalServer['received'][number]];
    expect([method, path]).toEqual(['POST', '/hook?x=1']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Genway-webhooks/1',
      'webhook-id': 'msg_1',
      'x-webhook-attempt': '1',
    });
    expect(body).toBe(aDelivery('msg_1').body);
    expect(verifyWebhook(Buffer.from(body), headers, [SECRET_TEXT], NOW)).toEqual(JSON.parse(body));
    expect(() => verifyWebhook(Buffer.from(body), headers, [`whsec_${'A'.repeat(43)}=`], NOW)).toThrow();
  });

  test('shows a failure and continues', async () => {
    const closed = await serve(() => ({ status: 204 }));
    await closed.close();
    const { lines } = await forwardTo(`${closed.url}/hook`, arrives('msg_1'), arrives('msg_2'));
    const line = `          → connection failed ${closed.url}/hook`;
    expect(lines.filter((each) => each.includes('→'))).toEqual([line, line]);
  });

  test('follows no redirect, like a real delivery', async () => {
    const moved = await serve(() => ({ status: 302, headers: { location: `${app.url}/` } }));
    const { lines } = await forwardTo(moved.url, arrives('msg_1'));
    await moved.close();
    expect(lines.at(-1)).toBe(`          → 302 ${moved.url}`);
    expect(app.received).toEqual([]);
  });
});

describe('an API in trouble', () => {
  const refusal = { error: { code: 403, message: 'Only management keys can perform this operation' } };

  test.each([
    [401, { error: { message: 'Invalid API key' } }, 'The API returned 401: Invalid API key'],
    [403, refusal, `The API returned 403: ${refusal.error.message}`],
    [404, 'not JSON of ours', 'The API returned 404'],
    [500, undefined, 'The API returned 500'],
    [200, { data: [{ id: 1 }], cursor: null }, 'has an unexpected form'],
  ])('that answers %i at the start stops listening', async (status, body, message) => {
    trouble = { status, body };
    await expect(listenTo([])).rejects.toThrow(message);
  });

  test.each([429, 500, 503])('that answers %i later is retried', async (status) => {
    const { lines } = await listenTo([
      () => {
        trouble = { status };
      },
      () => {
        trouble = undefined;
        arrives('msg_1')();
      },
    ]);
    expect(lines.slice(1)).toEqual([
      `The API returned ${status}; retrying`,
      expect.stringContaining('msg_1'),
    ]);
  });

  test('that refuses later stops listening', async () => {
    const revoked = () => {
      trouble = { status: 401 };
    };
    await expect(listenTo([revoked])).rejects.toThrow('The API returned 401');
  });

  test('that cannot be reached is named', async () => {
    const gone = await serve(() => ({ status: 200 }));
    await gone.close();
    await expect(listenTo([], { baseUrl: `${gone.url}/api/v1` })).rejects.toThrow(
      `Could not reach ${gone.url} (ECONNREFUSED): check the URL and your network`,
    );
  });
});
