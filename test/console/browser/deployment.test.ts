import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, newWorkspace, stage } from '../../contract/stage.ts';
import { endedVideo } from '../../contract/until.ts';
import { type LocalServer, openServer } from '../../local-server.ts';
import { choose, goTo, openConsole, signIn } from './console-page.ts';

useBrowser();

const key = stage.managementKey;
let collector: LocalServer;
beforeAll(async () => {
  collector = await openServer((_request, response) => response.writeHead(200).end('{}'));
});
afterAll(() => collector.close());

test('a guardrail of the chosen workspace is created, edited, audited and deleted', async () => {
  const workspace = await newWorkspace();
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await page.getByLabel('Workspace', { exact: true }).selectOption(workspace.id);
  await goTo(page, '/guardrails', 'Guardrails');
  const name = `Cheap ${crypto.randomUUID()}`;
  await page.getByRole('button', { name: 'New guardrail' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Blocked providers').fill('fal, luma');
  await page.getByLabel('Spending limit, USD').fill('9');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('cell', { name: 'All except fal, luma' }).waitFor();
  await choose(page, name, 'Edit');
  await page.getByLabel('Resets').selectOption('daily');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '$9.00 per day' }).waitFor();
  const { body } = await call('GET', `/guardrails?workspace_id=${workspace.id}`, { key });
  expect(body.data.find((each: { name: string }) => each.name === name)).toMatchObject({
    ignored_providers: ['fal', 'luma'],
    allowed_models: null,
    limit_usd: 9,
    reset_interval: 'daily',
  });
  await choose(page, name, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('rowheader', { name }).waitFor({ state: 'detached' });
  // The workspace's own guardrail cannot be deleted.
  await page.getByRole('button', { name: 'Actions for Default guardrail' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Edit']);
  await page.keyboard.press('Escape');
  const today = new Date().toISOString().slice(0, 10);
  await goTo(page, `/audit?since=${today}`, 'Audit');
  await page.getByRole('cell', { name: 'update guardrail' }).first().waitFor();
  expect(await page.getByLabel('Since').inputValue()).toBe(today);
  await page.getByLabel('Action').fill('Create guardrail');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'update guardrail' }).first().waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/#\/audit\?since=[\d-]+&action=create-guardrail$/);
  const { body: named } = await call('GET', `/workspaces/${workspace.id}`, { key });
  await page
    .getByRole('cell', { name: `workspace: ${named.data.name}` })
    .first()
    .waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

test('the catalogue is filtered by its address, and a row is paused and resumed', async () => {
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await goTo(page, '/catalogue?search=flux-3', 'Catalogue');
  // Above the providers, changes of other tests may wait for an approval.
  const rows = page.getByRole('group').getByRole('row');
  const row = rows.filter({ hasText: 'fal/flux-3' });
  await row.locator('.badge', { hasText: 'not configured' }).waitFor();
  expect(await rows.count()).toBe(2);
  await page.getByRole('searchbox').fill('');
  // Without filters only the providers that are called are open.
  await rows.filter({ hasText: 'sandbox/clip-1' }).waitFor();
  expect(await row.isVisible()).toBe(false);
  await page.getByText(/^fal \d+ endpoints, 0 offered$/).click();
  await row.waitFor();
  await page.getByRole('searchbox').fill('flux-3');
  const { body } = await call('GET', '/endpoints', { key });
  const [offer] = body.data.filter(({ id }: { id: string }) => id === 'fal/flux-3');
  // The API has micro-dollars.
  const { silent, by_resolution: others } = offer.price_per_second;
  const range = [silent, others['1080p'].silent].map((micros) => `$${(micros / 1_000_000).toFixed(2)}`);
  expect(await row.locator('.amount').first().innerText()).toBe(range.join(' – '));
  await choose(page, 'fal/flux-3', 'Pause');
  await row.locator('.badge', { hasText: 'paused' }).waitFor();
  await page.getByLabel('Status').selectOption('retired');
  await page.getByText('No endpoints match these filters').waitFor();
  expect(page.url()).toMatch(/#\/catalogue\?search=flux-3&status=retired$/);
  await page.getByLabel('Status').selectOption('');
  await choose(page, 'fal/flux-3', 'Resume');
  await row.locator('.badge', { hasText: 'not configured' }).waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

test('the usage of a workspace is its own, has totals, and is exported as it is shown', async () => {
  const { id, key: own } = await newWorkspace();
  const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 2, resolution: '360p' };
  const { body } = await call('POST', '/videos', { key: own, json });
  await endedVideo(body.id, own);
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  await goTo(page, '/usage?metric=seconds', 'Usage');
  await page.getByRole('row', { name: 'Total 2 s', exact: true }).waitFor();
  // A bar a day under each of the four totals.
  expect(await page.locator('.sparkline rect').count()).toBe(4 * 30);
  expect(await page.locator('.totals').innerText()).toMatch(/\$0\.02.*1.*100%.*2 s/s);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toBe('usage.csv');
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^Day \(UTC\),[^,\r]+\r\n\d{4}-\d\d-\d\d,2\r\n$/);
  expect(wrong).toEqual([]);
  await page.close();
});

test('a payload that is read stays open while later deliveries come above it', async () => {
  const { id, key: own } = await newWorkspace();
  // The provider refuses it at once, and there is no address to send the event to.
  const options = { sandbox: { submit: 402 } };
  const fail = async () =>
    (
      await call('POST', '/videos', {
        key: own,
        json: { model: 'sandbox/clip-1', prompt: 'x', provider: { options } },
      })
    ).body.id;
  await endedVideo(await fail(), own);
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  await goTo(page, '/settings/webhook', 'Settings');
  await page.getByText('Payload').click();
  const later = await fail();
  await page.locator('.delivery', { hasText: later }).waitFor();
  expect(
    await page.locator('.delivery pre').evaluateAll((all) => all.map((each) => each.checkVisibility())),
  ).toEqual([false, true]);
  await page.getByLabel('Status').selectOption('delivered');
  await page.getByText('No deliveries have this status.').waitFor();
  expect(page.url()).toMatch(/#\/settings\/webhook\?status=delivered$/);
  await page.getByLabel('Status').selectOption('no_address');
  await page.locator('.delivery', { hasText: later }).waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

test('an empty page that others follow says that more can be shown', async () => {
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  const json = { data: [], cursor: 'next' };
  const lists = /\/api\/v1\/(audit|videos|workspaces\/[^/]+\/webhook-deliveries)\?/;
  await page.route(lists, (route) => route.fulfill({ json }));
  const more = (what: string) =>
    page.getByText(`No ${what} found yet. Choose Show more to search further back.`).waitFor();
  await goTo(page, '/audit?action=create-key', 'Audit');
  await more('events');
  await goTo(page, '/credits', 'Credits');
  await more('grants');
  await goTo(page, '/?status=failed', 'Videos');
  await more('videos');
  await goTo(page, '/settings/webhook?status=failed', 'Settings');
  await more('deliveries');
  expect(wrong).toEqual([]);
  await page.close();
});

test('a key that has expired is shown as expired', async () => {
  const { id } = await newWorkspace();
  const expiry = new Date(Date.now() + 3_600_000);
  const json = { name: 'Short', workspace_id: id, expires_at: expiry.toISOString() };
  expect(await call('POST', '/keys', { key, json })).toMatchObject({ status: 201 });
  const { page, wrong } = await openConsole();
  await page.clock.setFixedTime(expiry);
  await signIn(page, key);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  await goTo(page, '/keys', 'Keys');
  await page.getByRole('cell', { name: 'expired' }).waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

/** A form that has been saved is empty again, also of what somebody enters meanwhile. */
async function saveBroadcast(page: Page): Promise<void> {
  const isLast = (request: Request) =>
    request.method() === 'PATCH' && /\/workspaces\/[^/]+$/.test(request.url());
  const saved = page.waitForResponse((response) => isLast(response.request()));
  await page.getByRole('button', { name: 'Save' }).click();
  await saved;
  await page.getByRole('button', { name: 'Save', disabled: false }).waitFor();
}

test('traces go to a collector, whose headers nobody sees again', async () => {
  const { id } = await newWorkspace();
  const { page, wrong } = await openConsole({ refusals: [400] });
  await signIn(page, key);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  await goTo(page, '/settings/broadcast', 'Settings');
  await page.getByLabel('OTLP URL').fill(`${collector.url}/v1/traces`);
  await page.getByLabel('Headers').fill('x-api-key: planted');
  await page.getByLabel('Send traces').check();
  await saveBroadcast(page);
  await page.getByText('Saved: x-api-key.').waitFor();
  // Without a new URL the headers stay.
  await page.getByLabel('Send traces').uncheck();
  await saveBroadcast(page);
  await page.getByRole('button', { name: 'Send test trace' }).click();
  await page.getByText('The destination accepted the test trace').waitFor();
  expect(collector.received.at(-1)?.headers['x-api-key']).toBe('planted');
  expect(await page.content()).not.toContain('planted');
  await page.getByLabel('OTLP URL').fill('http://127.0.0.1:9/v1/traces');
  await page.getByLabel('Headers').fill('x-api-key: planted');
  await saveBroadcast(page);
  await page.getByRole('button', { name: 'Send test trace' }).click();
  await page.getByRole('alert').filter({ hasText: 'The connection to the destination failed.' }).waitFor();
  expect(await page.getByLabel('Headers').inputValue()).toBe('');
  await page.getByLabel('Headers').fill('planted');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'config.headers.planted' }).waitFor();
  // Saved headers do not go to another URL.
  await page.getByLabel('Headers').fill('');
  await page.getByLabel('OTLP URL').fill(`${collector.url}/v1/others`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('One per line').waitFor();
  const tested = page.waitForResponse('**/broadcast/test');
  await page.getByRole('button', { name: 'Send test trace' }).click();
  await tested;
  expect(collector.received.at(-1)?.headers['x-api-key']).toBeUndefined();
  await page.getByRole('button', { name: 'Delete destination' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete destination' }).click();
  await page.getByText('Send test trace').waitFor({ state: 'detached' });
  expect(wrong).toEqual([]);
  await page.close();
});

test('the first steps look for a delivered event on every page of the deliveries', async () => {
  const { id } = await newWorkspace();
  const { page, wrong } = await openConsole();
  // As behind a hundred events that no receiver has taken.
  await page.route('**/webhook-deliveries?**', (route) =>
    route.fulfill({
      json: route.request().url().includes('cursor=next')
        ? { data: [{}], has_more: false, cursor: null }
        : { data: [], has_more: true, cursor: 'next' },
    }),
  );
  await signIn(page, key);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  await page.getByRole('listitem').filter({ hasText: 'Receive a webhook (done)' }).waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});
