import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import jpeg from 'jpeg-js';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, form, stage } from '../../contract/stage.ts';
import { endedVideo, until } from '../../contract/until.ts';
import { type LocalServer, openServer } from '../../local-server.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
/** The images of README.md and docs/console.md. `GENWAY_SCREENSHOTS=1` renews them; with a folder, every page goes there. */
const { GENWAY_SCREENSHOTS: SCREENSHOTS = '' } = process.env;
const SHOWN = new Set([
  'videos-1440-light',
  'videos-390-dark',
  'playground-1440-light',
  'job-1440-dark',
  'webhook-1440-dark',
  'activity-1440-light',
  'providers-1440-light',
]);
/** The colours of the sky, from its top to the horizon, and of the hills. */
const SHOTS = [
  ['Fog over the hills at dawn, slow pan', [46, 64, 118], [250, 186, 140], [62, 70, 92]],
  ['A lighthouse coast in the rain', [66, 92, 110], [178, 196, 200], [40, 62, 66]],
  ['Desert dunes at night under a full moon', [10, 14, 40], [70, 60, 110], [28, 24, 46]],
] as const;
type Colour = readonly [number, number, number];
const mix = (a: Colour, b: Colour, part: number, channel: number) =>
  (a[channel] ?? 0) * (1 - part) + (b[channel] ?? 0) * part;

/** A first frame: a sky, a sun and two rows of hills. */
function landscape(top: Colour, horizon: Colour, hills: Colour): Uint8Array {
  const [width, height] = [640, 360];
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at++) {
    const [x, y] = [((at >> 2) % width) / width, Math.floor((at >> 2) / width) / height];
    const far = 0.62 + 0.07 * Math.sin(9 * x) + 0.03 * Math.sin(23 * x);
    const near = 0.78 + 0.08 * Math.sin(5 * x + 2) + 0.02 * Math.sin(31 * x);
    const isSun = ((x - 0.68) * width) ** 2 + ((y - 0.36) * height) ** 2 < 34 ** 2;
    const sky = isSun ? 250 : mix(top, horizon, y / 0.7, at & 3);
    data[at] = y > near ? (hills[at & 3] ?? 0) * 0.6 : y > far ? mix(hills, horizon, 0.35, at & 3) : sky;
  }
  return jpeg.encode({ width, height, data }, 90).data;
}

useBrowser();

let name: string;
let jobId: string;
let slug: string;
let receiver: LocalServer;
afterAll(() => receiver.close());
/** A workspace with jobs, files and deliveries. */
beforeAll(async () => {
  const key = stage.managementKey;
  name = `Studio ${crypto.randomUUID().slice(0, 4)}`;
  slug = `studio-${crypto.randomUUID()}`;
  const created = await call('POST', '/workspaces', { key, json: { name, slug } });
  const { id } = created.body.data;
  const issued = await call('POST', '/keys', { key, json: { name: 'Website', workspace_id: id, limit: 20 } });
  const own = { key: issued.body.key };
  receiver = await openServer((_request, response) => response.writeHead(204).end());
  const webhook = { default_callback_url: `${receiver.url}/hooks` };
  await call('PUT', `/workspaces/${id}/webhook`, { key, json: webhook });
  await call('PUT', `/workspaces/${id}/budgets/daily`, { key, json: { limit_usd: 5 } });
  await call('POST', '/files', { ...own, body: form('# Shots\n\n1. A fox\n2. Snow\n', 'shots.md') });
  const jobIds: string[] = [];
  for (const [prompt, sky, horizon, hills] of SHOTS) {
    const picture = form(landscape(sky, horizon, hills), `${prompt}.jpg`);
    const { id: url } = (await call('POST', '/files', { ...own, body: picture })).body;
    const first = { type: 'image_url', frame_type: 'first_frame', image_url: { url } };
    const frames = {
      frame_images: [first],
      metadata: { prompt, settings: `resolution=720p&first_frame=${url}` },
    };
    const json = { model: 'sandbox/clip-1', prompt, duration: 2, resolution: '720p', ...frames };
    jobId = (await call('POST', '/videos', { ...own, json })).body.id;
    jobIds.push(jobId);
  }
  await Promise.all(jobIds.map((each) => endedVideo(each, own.key)));
  await until(
    () => call('GET', `/workspaces/${id}/webhook-deliveries?status=delivered`, { key }),
    ({ body }) => body.data.length === jobIds.length,
  );
});

const PAGES: readonly [name: string, path: () => string, heading: () => string][] = [
  ['videos', () => '/', () => 'Videos'],
  ['playground', () => `/playground?again=${jobId}&job=${jobId}`, () => 'Playground'],
  ['job', () => `/videos/${jobId}`, () => SHOTS[2][0]],
  ['files', () => '/files', () => 'Files'],
  ['workspaces', () => '/workspaces', () => 'Workspaces'],
  ['workspace', () => '/settings', () => 'Settings'],
  ['webhook', () => '/settings/webhook', () => 'Settings'],
  ['limits', () => '/settings/limits', () => 'Settings'],
  ['keys', () => '/keys', () => 'Keys'],
  ['credits', () => '/credits', () => 'Credits'],
  ['activity', () => '/deployment/usage', () => 'Deployment usage'],
  ['usage', () => '/usage', () => 'Usage'],
  ['guardrails', () => '/guardrails', () => 'Guardrails'],
  ['broadcast', () => '/settings/broadcast', () => 'Settings'],
  ['catalogue', () => '/catalogue', () => 'Catalogue'],
  ['audit', () => '/audit', () => 'Audit'],
  ['providers', () => '/providers', () => 'Providers'],
];

async function settled(page: Page): Promise<void> {
  // Away from whatever the pointer would light up.
  await page.mouse.move(0, 0);
  await page.waitForLoadState('networkidle');
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

describe.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('%i px wide and %s', (width, colorScheme) => {
  // The page passes through the smaller widths and ends at the last one.
  const widths = width === 1440 && colorScheme === 'light' ? [640, 768, 1024, 1440] : [width];
  test('every page is there for everybody, fits, and nothing goes wrong', async () => {
    const { page, wrong } = await openConsole({ width, colorScheme });
    expect(await axeFindings(page)).toEqual([]);
    await signIn(page, stage.managementKey);
    await settled(page);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
    for (const [image, path, heading] of PAGES) {
      await goTo(page, path(), heading());
      await settled(page);
      expect([image, await axeFindings(page)]).toEqual([image, []]);
      expect([image, await widthsThatOverflow(page, widths)]).toEqual([image, []]);
      // The pages have no animations, so they need no reduced-motion setting.
      expect([image, await page.evaluate('document.getAnimations().length')]).toEqual([image, 0]);
      const shot = `${image}-${width}-${colorScheme}`;
      if (SCREENSHOTS === '1' && SHOWN.has(shot)) {
        await page.screenshot({ path: join(IMAGES, `console-${shot}.png`) });
      }
      if (SCREENSHOTS.length > 1) {
        for (const each of width === 390 ? [390] : [768, 1440]) {
          await page.setViewportSize({ width: each, height: 900 });
          await page.screenshot({
            path: join(SCREENSHOTS, `${image}-${each}-${colorScheme}.png`),
            fullPage: true,
          });
        }
      }
    }
    expect(wrong).toEqual([]);
    await page.close();
  });
});

async function widthsThatOverflow(page: Page, widths: readonly number[]): Promise<number[]> {
  const tooNarrow: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'))
      tooNarrow.push(width);
  }
  return tooNarrow;
}

async function axeFindings(page: Page): Promise<string[]> {
  // The console never loads a second document, so one copy serves all its pages.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test('a keyboard is enough: sign in, find a video, open its dialog and leave it', async () => {
  const { page } = await openConsole();
  await page.keyboard.press('Tab');
  await page.keyboard.type(stage.managementKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await goTo(page, `/workspaces`, 'Workspaces');
  await page.getByRole('heading', { name: 'Workspaces' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'New workspace' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate("document.querySelector('dialog').contains(document.activeElement)")).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New workspace');
  await page.close();
});

test('every control of the forms is reached with Tab, and shows that it has the focus', async () => {
  const { page } = await openConsole();
  await signIn(page, stage.managementKey);
  await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
  const withForms = ['playground', 'job', 'files', 'workspace', 'keys'];
  for (const [image, path, heading] of PAGES.filter(([each]) => withForms.includes(each))) {
    await goTo(page, path(), heading());
    await settled(page);
    await page.evaluate(FOLLOW_FOCUS);
    for (let round = 0; round < 20; round += 1) {
      if ((await page.evaluate('window.unvisited.size')) === 0) break;
      for (let press = 0; press < 10; press += 1) await page.keyboard.press('Tab');
    }
    const left = await page.evaluate(
      '[...window.unvisited].filter((each) => each.isConnected).map((each) => each.outerHTML)',
    );
    expect([image, left]).toEqual([image, []]);
  }
  await page.close();
});

/** Marks each control that gets the focus and shows it. */
const FOLLOW_FOCUS = `(() => {
  // Arrow keys reach the other tabs of a list.
  const all = 'a[href], button:enabled:not([tabindex="-1"]), input, select, textarea, summary, video[controls], [tabindex="0"]';
  window.unvisited = new Set([...document.querySelectorAll(all)].filter((each) => each.checkVisibility()));
  document.addEventListener('focusin', ({ target }) => {
    if (getComputedStyle(target).outlineStyle !== 'none') window.unvisited.delete(target);
  });
})()`;

test('loaded content does not move', async () => {
  const { page } = await openConsole();
  await page.evaluate(`window.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true })`);
  await signIn(page, stage.managementKey);
  await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
  for (const [, path, heading] of PAGES) {
    await goTo(page, path(), heading());
    await settled(page);
  }
  // web.dev/cls calls a layout shift of up to 0.1 a page good.
  expect(Number(await page.evaluate('window.shift'))).toBeLessThan(0.1 * PAGES.length);
  await page.close();
});
