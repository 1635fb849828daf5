import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, stage } from '../../contract/stage.ts';
import { until } from '../../contract/until.ts';
import { type LocalServer, openServer } from '../../local-server.ts';
import { openConsole } from './console-page.ts';

useBrowser();

let receiver: LocalServer;
beforeAll(async () => {
  receiver = await openServer((_request, response) => response.writeHead(204).end());
});
afterAll(() => receiver.close());

const MOST_STOPS = 150;

/** Moves the focus with Tab alone. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

async function pressOn(target: Locator): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press('Enter');
}

async function write(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await field.page().keyboard.press('Control+A');
  await field.page().keyboard.type(text);
}

/** Opens a page by a part of its name. */
async function goByPalette(page: Page, text: string, heading: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page or workspace' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: heading, level: 1 }).and(page.locator(':focus')).waitFor();
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const ended = (page: Page, status: string) =>
  result(page).locator('.facts .badge', { hasText: status }).waitFor();
const told = (status: string) =>
  receiver.received.filter(({ body }) => JSON.parse(body).type === `video.generation.${status}`).length;

test.each([
  ['a desk', 1440],
  ['a phone’s width', 390],
])(
  'with the keyboard alone, on %s: from an empty workspace to a video, and back to nothing',
  async (_, width) => {
    const { page, wrong } = await openConsole({ width });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tabTo(page.getByLabel('Key', { exact: true }));
    await page.keyboard.type(stage.managementKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor();

    const name = `Journey ${width} ${crypto.randomUUID().slice(0, 8)}`;
    const slug = await createWorkspace(page, name);
    await setWebhook(page);
    await makeFromFrame(page);
    await failAndRetry(page);
    await useAgain(page);
    await redeliver(page);
    await editKey(page);
    await deleteWorkspace(page, name);
    expect(await call('GET', `/workspaces/${slug}`, { key: stage.managementKey })).toMatchObject({
      status: 404,
    });
    expect(wrong).toEqual([]);
    await page.close();
  },
);

/** @returns its slug, which the form makes of the name */
async function createWorkspace(page: Page, name: string): Promise<string> {
  await goByPalette(page, 'workspaces', 'Workspaces');
  await pressOn(button(page, 'New workspace'));
  await write(page.getByLabel('Name', { exact: true }), name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  const steps = page.getByRole('region', { name: 'Get started' });
  await goByPalette(page, 'videos', 'Videos');
  await steps.getByRole('link', { name: 'Create a video' }).waitFor();
  return name.toLowerCase().replaceAll(' ', '-');
}

async function setWebhook(page: Page): Promise<void> {
  await pressOn(page.getByRole('link', { name: 'Receive a webhook' }));
  await write(page.getByLabel('Webhook URL'), `${receiver.url}/journey`);
  await page.keyboard.press('Enter');
  await page.getByText('Webhook URL saved').waitFor();
  // Nothing has been delivered to it yet.
  await goByPalette(page, 'videos', 'Videos');
  await page.getByRole('link', { name: 'Receive a webhook' }).waitFor();
}

/** On a phone the navigation is a drawer. */
async function openPlayground(page: Page): Promise<void> {
  const drawer = button(page, 'Open navigation');
  const key = page.getByText('Local management key').filter({ visible: true });
  if (await drawer.isVisible()) {
    expect(await key.count()).toBe(0);
    await pressOn(drawer);
  }
  await key.waitFor();
  await pressOn(page.getByRole('link', { name: 'Playground' }).last());
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
}

/** The picture is on the clipboard, as after a screenshot. */
async function makeFromFrame(page: Page): Promise<void> {
  const picture = readFileSync('test/fixtures/files/accepted/ffmpeg.png').toString('base64');
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${picture}'), (each) => each.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
  })()`);
  await openPlayground(page);
  await write(page.getByLabel('Prompt', { exact: true }), 'A fox');
  await page.keyboard.press('Control+v');
  await button(page, /^Remove First frame/).waitFor();
  await tabTo(page.getByLabel('Duration'));
  await page.keyboard.type('1 s');
  await page.getByText('Up to $0.01').waitFor();
  expect(
    await button(page, /^Create video/).evaluate((each) => each.getBoundingClientRect().bottom),
  ).toBeLessThanOrEqual(900);
  await page.keyboard.press('Control+Enter');
  await ended(page, 'completed');
  // It is in sight also where it stands below the form.
  expect(await result(page).evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(700);
  const download = result(page).getByRole('button', { name: 'Download' });
  await tabTo(download);
  const downloaded = page.waitForEvent('download');
  await pressOn(download);
  const file = await (await downloaded).path();
  expect(readFileSync(file).subarray(4, 8).toString()).toBe('ftyp');
  const code = page.getByRole('tabpanel');
  await pressOn(page.getByText('Code', { exact: true }));
  await tabTo(page.getByRole('tab', { name: 'curl' }));
  await page.keyboard.press('ArrowRight');
  await code.getByText('urllib.request').first().waitFor();
}

async function failAndRetry(page: Page): Promise<void> {
  await pressOn(page.getByText('Advanced', { exact: true }));
  await write(
    page.getByLabel('Provider options', { exact: true }),
    '{"sandbox": {"outcome": "failed", "latency_s": 0}}',
  );
  await page.keyboard.press('Control+Enter');
  await ended(page, 'failed');
  const first = page.url();
  await pressOn(result(page).getByRole('button', { name: 'Retry' }));
  await until(
    async () => page.url(),
    (url) => url !== first,
  );
  await ended(page, 'failed');
}

/** The form has the request of the failed job again, and can be changed. */
async function useAgain(page: Page): Promise<void> {
  expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('A fox');
  await button(page, /^Remove First frame/).waitFor();
  await pressOn(page.getByText('Advanced', { exact: true }));
  await tabTo(page.getByLabel('Provider options', { exact: true }));
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+Enter');
  await ended(page, 'completed');
  await pressOn(result(page).getByRole('link', { name: 'Use again' }));
  expect(await page.getByLabel('Duration').inputValue()).toBe('1');
}

async function redeliver(page: Page): Promise<void> {
  await goByPalette(page, 'settings', 'Settings');
  await pressOn(page.getByRole('link', { name: 'Webhook' }));
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  const row = deliveries
    .locator('.delivery-row', { has: page.getByText('video.generation.completed', { exact: true }) })
    .first();
  // One that is still on its way would be sent only once.
  await row.locator('.badge.delivered').waitFor();
  const before = told('completed');
  await pressOn(row.getByRole('button', { name: /^Redeliver / }));
  await page.getByText('Redelivery started').waitFor();
  await row.locator('.timeline li:nth-child(2)').waitFor();
  await goByPalette(page, 'videos', 'Videos');
  await page.getByRole('listitem').filter({ hasText: 'Receive a webhook (done)' }).waitFor();
  expect(told('completed')).toBe(before + 1);
}

async function editKey(page: Page): Promise<void> {
  await goByPalette(page, 'keys', 'Keys');
  await pressOn(button(page, 'New key'));
  await write(page.getByLabel('Name', { exact: true }), 'Website');
  await pressOn(page.getByText('Scope', { exact: true }));
  await tabTo(page.getByLabel('Create and delete videos and files'));
  await page.keyboard.press('Space');
  await tabTo(page.getByLabel('Name', { exact: true }));
  await page.keyboard.press('Enter');
  await page.getByTestId('secret').waitFor();
  await pressOn(button(page, 'Done'));
  await pressOn(button(page, 'Actions for Website'));
  await pressOn(page.getByRole('menuitem', { name: 'Edit' }));
  await page.getByText('Scope: operations: generate.').waitFor();
  await write(page.getByLabel('Limit, USD'), '7');
  await page.keyboard.press('Enter');
  await page.getByText('$0.00 used or held of $7.00').waitFor();
  await pressOn(button(page, 'Actions for Website'));
  await page.getByRole('menuitem', { name: 'Edit' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await pressOn(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await page.getByText('No keys in this workspace').waitFor();
}

async function deleteWorkspace(page: Page, name: string): Promise<void> {
  // The page reads the workspace anew. If that came after the deletion, it would be a 404.
  const read = page.waitForResponse((response) => /\/workspaces\/[^/]+$/.test(response.url()));
  await goByPalette(page, 'settings', 'Settings');
  await read;
  await pressOn(button(page, 'Delete workspace'));
  await write(page.getByLabel(`Type ${name} to confirm`), name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
}
