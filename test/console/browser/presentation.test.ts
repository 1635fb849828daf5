import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, form, stage } from '../../contract/stage.ts';
import { endedVideo } from '../../contract/until.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
const PROMPTS = [
  'A red fox in fresh snow, at dawn',
  'A paper boat in the rain',
  'Waves at night, from above',
];

useBrowser();

let name: string;
let jobId: string;
let slug: string;
/** A workspace in which something is going on. */
beforeAll(async () => {
  const key = stage.managementKey;
  name = `Studio ${crypto.randomUUID().slice(0, 4)}`;
  slug = `studio-${crypto.randomUUID()}`;
  const created = await call('POST', '/workspaces', { key, json: { name, slug } });
  const { id } = created.body.data;
  const issued = await call('POST', '/keys', { key, json: { name: 'Website', workspace_id: id, limit: 20 } });
  const own = { key: issued.body.key };
  await call('PUT', `/workspaces/${id}/budgets/daily`, { key, json: { limit_usd: 5 } });
  await call('POST', '/files', { ...own, body: form('# Shots\n\n1. A fox\n2. Snow\n', 'shots.md') });
  for (const prompt of PROMPTS) {
    const json = { model: 'sandbox/clip-1', prompt, duration: 2, resolution: '360p', metadata: { prompt } };
    jobId = (await call('POST', '/videos', { ...own, json })).body.id;
    await endedVideo(jobId, own.key);
  }
}, 300_000);

const PAGES: readonly [name: string, path: () => string, heading: () => string][] = [
  ['videos', () => '/', () => 'Videos'],
  ['new-video', () => '/videos/new', () => 'New video'],
  ['job', () => `/videos/${jobId}`, () => 'Video'],
  ['files', () => '/files', () => 'Files'],
  ['workspaces', () => '/workspaces', () => 'Workspaces'],
  ['workspace', () => `/workspaces/${slug}`, () => name],
  ['keys', () => '/keys', () => 'Keys'],
  ['credits', () => '/credits', () => 'Credits'],
  ['activity', () => '/activity', () => 'Activity'],
  ['providers', () => '/providers', () => 'Providers'],
];

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

describe.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('%i px wide and %s', (width, colorScheme) => {
  test('every page is there for everybody, fits, and nothing goes wrong', async () => {
    const { page, wrong } = await openConsole({ width, colorScheme });
    expect(await seriousFaults(page)).toEqual([]);
    await signIn(page, stage.managementKey);
    await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
    for (const [image, path, heading] of PAGES) {
      await goTo(page, path(), heading());
      await settled(page);
      expect([image, await seriousFaults(page)]).toEqual([image, []]);
      expect([image, await widthsThatOverflow(page, width)]).toEqual([image, []]);
      // Nothing moves by itself, so that nothing has to stop for those who want less motion.
      expect([image, await page.evaluate('document.getAnimations().length')]).toEqual([image, 0]);
      if (process.env.GENWAY_SCREENSHOTS === '1') {
        await page.screenshot({ path: join(IMAGES, `console-${image}-${width}-${colorScheme}.png`) });
      }
    }
    expect(wrong).toEqual([]);
    await page.close();
  }, 300_000);
});

/** Looks at narrower windows too, and leaves the page as wide as it was. */
async function widthsThatOverflow(page: Page, widest: number): Promise<number[]> {
  const tooNarrow: number[] = [];
  for (const width of [390, 640, 768, 1024, 1440].filter((each) => each <= widest)) {
    await page.setViewportSize({ width, height: 900 });
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'))
      tooNarrow.push(width);
  }
  return tooNarrow;
}

async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
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
  await page.getByRole('button', { name: 'New workspace' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  expect(await page.evaluate("document.querySelector('dialog').contains(document.activeElement)")).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New workspace');
  await page.close();
});

test('every control is reached with Tab, and shows that it has the focus', async () => {
  const { page } = await openConsole();
  await signIn(page, stage.managementKey);
  await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
  for (const [image, path, heading] of PAGES) {
    await goTo(page, path(), heading());
    await settled(page);
    const controls = Number(await page.evaluate(CONTROLS));
    // A player has several stops; none has more than twenty.
    for (let press = 0; press < controls * 20; press += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(VISIT)) === controls) break;
    }
    expect([image, await page.evaluate('window.visited.size')]).toEqual([image, controls]);
  }
  await page.close();
}, 120_000);

/** How many there are to reach; begins a new count of those that are. */
const CONTROLS = `(() => {
  document.activeElement?.blur();
  window.visited = new Set();
  const all = 'a[href], button:enabled, input, select, textarea, summary, video, [tabindex="0"]';
  window.controls = [...document.querySelectorAll(all)].filter((each) => each.checkVisibility());
  return window.controls.length;
})()`;
/** Counts what has the focus now, where that shows. */
const VISIT = `(() => {
  const { activeElement } = document;
  const isSeen = getComputedStyle(activeElement).outlineStyle !== 'none';
  if (window.controls.includes(activeElement) && isSeen) window.visited.add(activeElement);
  return window.visited.size;
})()`;

test('what has arrived stays where it is', async () => {
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
  // Good, says web.dev/cls, is 0.1 for a page.
  expect(Number(await page.evaluate('window.shift'))).toBeLessThan(0.1 * PAGES.length);
  await page.close();
}, 120_000);
