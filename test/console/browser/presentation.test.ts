import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, form, stage } from '../../contract/stage.ts';
import { endedVideo } from '../../contract/until.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
/** The images of README.md and docs/console.md. `GENWAY_SCREENSHOTS=1` renews them. */
const SHOWN = new Set([
  'videos-1440-light',
  'videos-390-dark',
  'playground-1440-light',
  'job-1440-dark',
  'webhook-1440-dark',
  'activity-1440-light',
  'providers-1440-light',
]);
const PROMPTS = [
  'A red fox in fresh snow, at dawn',
  'A paper boat in the rain',
  'Waves at night, from above',
];

useBrowser();

let name: string;
let jobId: string;
let slug: string;
/** A workspace with jobs, files and deliveries. */
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
  const jobIds: string[] = [];
  for (const prompt of PROMPTS) {
    const json = { model: 'sandbox/clip-1', prompt, duration: 2, resolution: '360p', metadata: { prompt } };
    jobId = (await call('POST', '/videos', { ...own, json })).body.id;
    jobIds.push(jobId);
  }
  await Promise.all(jobIds.map((each) => endedVideo(each, own.key)));
}, 300_000);

const PAGES: readonly [name: string, path: () => string, heading: () => string][] = [
  ['videos', () => '/', () => 'Videos'],
  ['playground', () => `/playground?again=${jobId}&job=${jobId}`, () => 'Playground'],
  ['job', () => `/videos/${jobId}`, () => 'Video'],
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
    await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
    for (const [image, path, heading] of PAGES) {
      await goTo(page, path(), heading());
      await settled(page);
      expect([image, await axeFindings(page)]).toEqual([image, []]);
      expect([image, await widthsThatOverflow(page, widths)]).toEqual([image, []]);
      // The pages have no animations, so they need no reduced-motion setting.
      expect([image, await page.evaluate('document.getAnimations().length')]).toEqual([image, 0]);
      const shot = `${image}-${width}-${colorScheme}`;
      if (process.env.GENWAY_SCREENSHOTS === '1' && SHOWN.has(shot)) {
        await page.screenshot({ path: join(IMAGES, `console-${shot}.png`) });
      }
    }
    expect(wrong).toEqual([]);
    await page.close();
  }, 300_000);
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
}, 120_000);

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
}, 120_000);
