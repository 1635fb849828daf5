import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { pageFiles, type Served, serveDashboard } from '../../local/dashboard/dashboard.ts';
import { keepSamples } from '../../local/dashboard/metrics-file.ts';
import { samplesOfLine, samplesOfRequest } from '../../local/dashboard/samples.ts';
import type { View } from '../../local/dashboard/view.ts';
import { type WatchedRun, watchRun } from '../../local/dashboard/watched-run.ts';
import { openReceiver } from '../../local/demo/receiver.ts';
import { STACK } from '../../local/deployment/deploy.ts';
import { announcedAccess } from '../../local/emulator/aws-access.ts';
import { stateFolder } from '../../local/system/state-folder.ts';
import { browser, useBrowser } from '../browser.ts';
import { call, form, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const HOUR = 3_600_000;
const state = stateFolder(mkdtempSync(join(tmpdir(), 'genway-dashboard-')));
const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ logGroup: v.string(), time: v.number(), text: v.string() }),
);
let run: WatchedRun;
let served: Served;

/** Collects the metrics from the functions' log lines, as `npm start` does. */
function keepMetrics(): void {
  // The last line may be incomplete.
  const lines = readFileSync(stage.logFile, 'utf8').split('\n').slice(0, -1);
  const count = keepSamples(state.metrics, () => undefined);
  count(lines.flatMap((line) => samplesOfLine(v.parse(lineSchema, line))));
  const failed = { method: 'GET', path: '/api/v1/files', status: 500, authorization: undefined, address: '' };
  count(samplesOfRequest({ ...failed, milliseconds: 40 }, STACK, Date.now()));
}

const viewNow = async (): Promise<View> => {
  keepMetrics();
  const to = Date.now() + 1;
  return run.view({ span: { from: to - HOUR, to }, periodSeconds: 300 });
};
const panelOf = ({ dashboards }: View, title: string) =>
  dashboards.flatMap(({ panels }) => panels).find((panel) => panel.title === title)!;
const drawn = (view: View, title: string) =>
  panelOf(view, title)
    .lines.filter(({ points }) => points.length > 0)
    .map(({ label }) => label);

useBrowser();
beforeAll(async () => {
  writeFileSync(state.runFile, JSON.stringify({ aws: announcedAccess(stage.aws) }));
  run = await watchRun(state, HOUR, new AbortController().signal);
  served = await serveDashboard(0, { files: await pageFiles(), view: run.view, now: Date.now });
});
afterAll(async () => {
  await served?.close();
  rmSync(state.root, { recursive: true });
});

test('the deployed dashboards show the stage’s metrics', async () => {
  const uploaded = await call('POST', '/files', { key: stage.apiKey, body: form('text') });
  expect(uploaded.status).toBe(200);
  await run.look(Date.now());
  await until(
    viewNow,
    (view) => drawn(view, 'Responses').includes('served') && drawn(view, 'Uploads').length > 0,
  );
  const view = await viewNow();
  expect(view.dashboards.map(({ name }) => name)).toEqual([`${STACK}-callers`, `${STACK}-machinery`]);
  expect(drawn(view, 'Latency')).toEqual(['p50', 'p99']);
  expect(drawn(view, 'Dead letters')).toEqual(expect.arrayContaining(['jobs', 'events', 'copies']));
  expect(drawn(view, 'Uploads')).toEqual(['small']);
  expect(panelOf(view, 'Oldest message').lines).toEqual([]);
});

test('a job and its webhook appear as soon as they have ended', async () => {
  const receiver = await openReceiver();
  try {
    const json = {
      model: 'sandbox/clip-1',
      prompt: 'A fox',
      duration: 1,
      size: '640x360',
      callback_url: receiver.url,
      provider: { options: { sandbox: { latency_s: 0 } } },
    };
    const { status, body } = await call('POST', '/videos', { key: stage.apiKey, json });
    expect(status).toBe(202);
    expect((await endedVideo(body.id, stage.apiKey)).body.status).toBe('completed');
    await receiver.delivery;
    const ofSandbox = [
      'Time to video (median)',
      'Time to video (p95)',
      'Charges',
      'Jobs failed by providers',
    ];
    const isDrawn = (view: View) =>
      ofSandbox.every((title) => drawn(view, title).includes('sandbox')) &&
      drawn(view, 'Finished jobs').includes('completed') &&
      drawn(view, 'Webhook attempts').includes('2xx');
    expect(isDrawn(await until(viewNow, isDrawn))).toBe(true);
  } finally {
    receiver.close();
  }
});

test('the page shows each panel of both without an error', async () => {
  const view = await viewNow();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => request.url().startsWith(served.url) || wrong.push(request.url()));
  await page.goto(served.url);
  await page.locator('canvas').first().waitFor();
  const titles = await page.locator('figcaption').allInnerTexts();
  const panels = view.dashboards.flatMap((dashboard) => dashboard.panels);
  expect(titles).toEqual(panels.map(({ title, unit }) => `${title} ${unit}`));
  const oldest = page.locator('figure', { hasText: 'Oldest message' });
  expect(await oldest.innerText()).toContain('Only AWS measures this');
  expect(wrong).toEqual([]);
  await page.close();
});
