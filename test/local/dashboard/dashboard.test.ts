import { type RequestOptions, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Served, serveDashboard } from '../../../local/dashboard/dashboard.ts';
import type { Shown } from '../../../local/dashboard/view.ts';

const NOW = 10_000_000_000;
const asked: Shown[] = [];
let fails = false;
let served: Served;
beforeAll(async () => {
  served = await serveDashboard(0, {
    files: new Map([['/', '<p>']]),
    view: async (shown) => {
      if (fails) throw new Error('connect ECONNREFUSED');
      asked.push(shown);
      return { ...shown.span, dashboards: [] };
    },
    now: () => NOW,
  });
});
afterAll(() => served.close());

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(new URL(path, served.url), init);
  return { status: response.status, text: await response.text(), headers: response.headers };
};

test('the page may only load its own files', async () => {
  const { status, text, headers } = await get('/');
  expect([status, text, headers.get('content-type')]).toEqual([200, '<p>', 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
});

test('samples are requested by span and period', async () => {
  const hour = { from: NOW - 3_600_000, to: NOW };
  for (const period of ['deployed', '60']) {
    const { text } = await get(`/view.json?minutes=60&period=${period}`);
    expect(JSON.parse(text)).toEqual({ ...hour, dashboards: [] });
  }
  expect(asked.map(({ periodSeconds }) => periodSeconds)).toEqual([300, 60]);
});

test.each([
  ['/view.json', {}, 400],
  ['/view.json?minutes=61&period=60', {}, 400],
  ['/view.json?minutes=60&period=1', {}, 400],
  ['/other', {}, 404],
  ['/', { method: 'POST' }, 405],
])('%s %j is answered with %i', async (path, init, status) => {
  expect((await get(path, init)).status).toBe(status);
});

/** Sends a request that `fetch` would not send in this form. */
const statusOf = (options: RequestOptions) =>
  new Promise((resolve, reject) => {
    request(served.url, options, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
  });

test('a page with another host name gets nothing', async () => {
  expect(await statusOf({ headers: { host: 'evil.example' } })).toBe(403);
});

test.each(['//', '//:', 'http://['])('an invalid path, %s, does not end the program', async (path) => {
  expect(await statusOf({ path })).toBe(404);
});

test('a run that has ended is reported', async () => {
  fails = true;
  expect(await get('/view.json?minutes=15&period=60')).toMatchObject({
    status: 503,
    text: 'The local stage does not respond: connect ECONNREFUSED',
  });
});
