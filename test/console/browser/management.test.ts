import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, stage } from '../../contract/stage.ts';
import { until } from '../../contract/until.ts';
import { type LocalServer, openServer } from '../../local-server.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

useBrowser();

let receiver: LocalServer;
beforeAll(async () => {
  receiver = await openServer((_request, response) => response.writeHead(204).end());
});
afterAll(() => receiver.close());

test('a manager makes a workspace, a key and a budget; then a video that does not fit it is refused in words', async () => {
  const slug = `console-${crypto.randomUUID()}`;
  const name = `Studio ${slug}`;
  const { page, wrong } = await openConsole({ refusals: [402] });
  await signIn(page, stage.managementKey);

  await goTo(page, '/workspaces', 'Workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Slug').fill(slug);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();

  const daily = page.getByRole('spinbutton', { name: 'daily, USD' });
  await daily.fill('0.02');
  await page.getByRole('button', { name: 'Save the daily budget' }).click();
  await page.getByText('$0.02 left of $0.02').waitFor();
  expect(await page.getByRole('meter', { name: 'daily budget: used' }).count()).toBe(1);

  await page.getByLabel('Workspace', { exact: true }).selectOption({ label: name });
  await goTo(page, '/keys', 'Keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Console key');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/v1/keys', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create' }).click();
  // The key is shown only once, so pressing Escape before it arrives must not hide it.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await goTo(page, '/credits', 'Credits');
  letGo();
  const secret = await page.getByTestId('secret').innerText();
  await page.keyboard.press('Escape');
  expect(secret).toMatch(/^sk-gw-v1-/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  await page.getByRole('button', { name: 'I have it' }).click();
  await goTo(page, '/keys', 'Keys');
  await page.getByRole('rowheader', { name: 'Console key' }).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, secret);
  await goTo(page, '/videos/new', 'New video');
  await page.getByLabel('Prompt', { exact: true }).fill('Too long for the budget');
  await page.getByLabel('Length').selectOption('15');
  await page.getByText('This does not fit what is left').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  const refusal = page.getByRole('alert');
  await refusal.waitFor();
  expect(await refusal.innerText()).toMatch(/does not fit what is left of the workspace's daily budget/);
  expect(await refusal.innerText()).toMatch(/It starts anew at/);
  expect(wrong).toEqual([]);
  await page.close();
}, 120_000);

test('a manager sets a webhook, tests it, sends an event again, and stores a provider’s key', async () => {
  const slug = `console-${crypto.randomUUID()}`;
  // The test names a provider that does not exist.
  const { page, wrong } = await openConsole({ refusals: [400] });
  await signIn(page, stage.managementKey);
  await goTo(page, '/workspaces', 'Workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name').fill('Console hooks');
  await page.getByLabel('Slug').fill(slug);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByLabel('Address').fill(`${receiver.url}/hook`);
  await page.getByRole('button', { name: 'Save the address' }).click();
  // The button stays disabled until the address is saved, and the click waits for that.
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.locator('.delivery .badge.delivered').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Send webhook\.test again, of / }).click();
  await page.locator('.delivery .timeline li').nth(1).waitFor({ timeout: 60_000 });
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'webhook.test',
    'webhook.test',
  ]);

  await page.getByRole('button', { name: 'Show the secret' }).click();
  const secret = await page.getByTestId('secret').innerText();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByText('those from before it until the').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByText(secret).waitFor({ state: 'detached' });
  expect(await page.getByTestId('secret').innerText()).toMatch(/^whsec_/);

  const providerKey = `sk-proj-${'x'.repeat(40)}AbCd`;
  await page.getByText('None yet. A provider that bills').waitFor();
  await page.getByLabel('Provider', { exact: true }).fill('nobody');
  await page.getByLabel('Key', { exact: true }).fill(providerKey);
  await page.getByRole('button', { name: 'Store the key' }).click();
  await page.getByRole('alert').filter({ hasText: 'nobody is not supported; supported:' }).waitFor();
  await page.getByLabel('Provider', { exact: true }).fill('openai');
  await page.getByRole('button', { name: 'Store the key' }).click();
  await page.getByText(/AbCd$/).waitFor();
  expect(await page.content()).not.toContain(providerKey);
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
  await page.getByRole('button', { name: 'Delete the key of openai' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('None yet. A provider that bills').waitFor();
  expect(wrong).toEqual([]);
  await page.close();
}, 120_000);

test('what a workspace has can be changed when it is known, and nothing unknown is taken for none', async () => {
  const key = stage.managementKey;
  const slug = `console-${crypto.randomUUID()}`;
  await call('POST', '/workspaces', { key, json: { name: 'Console waits', slug } });
  const webhook = { default_callback_url: `${receiver.url}/kept` };
  await call('PUT', `/workspaces/${slug}/webhook`, { key, json: webhook });
  const { page, wrong } = await openConsole({ refusals: [403] });
  await signIn(page, key);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/workspaces/*/webhook', async (route) => {
    await held;
    await route.continue();
  });
  await page.route('**/workspaces/*/budgets', async (route) => {
    await held;
    await route.fulfill({ status: 403, json: { error: { code: 403, message: 'Not now' } } });
  });
  await goTo(page, `/workspaces/${slug}`, 'Console waits');
  const budgets = page.getByRole('region', { name: 'Budgets' });
  const address = page.getByRole('button', { name: 'Save the address' });
  await budgets.getByText('Loading budgets').waitFor();
  await page.getByText('Loading the webhook').waitFor();
  expect(await address.count()).toBe(0);
  expect(await budgets.getByRole('button').count()).toBe(0);
  letGo();
  await budgets.getByRole('alert').filter({ hasText: 'Not now' }).waitFor();
  expect(await budgets.getByRole('button').count()).toBe(0);
  await address.click();
  expect(await page.getByLabel('Address').inputValue()).toBe(webhook.default_callback_url);
  const { body } = await call('GET', `/workspaces/${slug}/webhook`, { key });
  expect(body.data).toMatchObject(webhook);
  expect(wrong).toEqual([]);
  await page.close();
});

test('a key is rotated: a new one like it first, and then the old one is disabled and deleted', async () => {
  const { page, wrong } = await openConsole();
  await signIn(page, stage.managementKey);
  await goTo(page, '/keys', 'Keys');
  const name = `Rotated ${crypto.randomUUID()}`;
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Limit, USD').fill('5');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New key');
  await page.getByRole('button', { name: `Rotate ${name}` }).click();
  await page.getByRole('button', { name: 'Make the new key' }).click();
  await page.getByTestId('secret').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByTestId('secret').waitFor();
  await page.getByRole('button', { name: 'Disable the old key' }).click();
  const rows = page.getByRole('row').filter({ hasText: name });
  await rows.filter({ has: page.locator('.badge.disabled') }).waitFor();
  await rows.filter({ has: page.locator('.badge.active') }).waitFor();
  expect(await rows.filter({ hasText: '$5.00 left of $5.00' }).count()).toBe(2);
  const old = rows.filter({ has: page.locator('.badge.disabled') });
  await old.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await old.waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(1);
  expect(wrong).toEqual([]);
  await page.close();
});

test('a manager has jobs logged, reads a log, sends a webhook again, repeats a job and sees what all did', async () => {
  const key = stage.managementKey;
  const slug = `console-${crypto.randomUUID()}`;
  const { body } = await call('POST', '/workspaces', { key, json: { name: 'Console logs', slug } });
  const { id } = body.data;
  const webhook = { default_callback_url: `${receiver.url}/jobs` };
  await call('PUT', `/workspaces/${slug}/webhook`, { key, json: webhook });
  // The job belongs to one workspace, so other workspaces get a 404.
  const { page, wrong } = await openConsole({ refusals: [404] });
  await signIn(page, key);

  const name = `Logs ${slug}`;
  await goTo(page, `/workspaces/${slug}`, 'Console logs');
  await nameAnew(page, name);
  await logAll(page, slug);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  const prompt = 'A fox that nobody else may know of';
  await makeVideo(page, prompt);
  await readLog(page, id, prompt);
  await sendWebhookAgain(page);
  await repeatInShell(page, id);
  await lookFromElsewhere(page, id);
  await seeActivity(page, { key: /./, provider: 'sandbox', model: 'sandbox/clip-1', workspace: name });
  await goTo(page, '/providers', 'Providers');
  const health = page.getByRole('row').filter({ hasText: 'sandbox/clip-1' });
  await health.locator('.badge', { hasText: /available|resting/ }).waitFor();
  await deleteWorkspace(page, slug, name);
  expect(wrong).toEqual([]);
  await page.close();
}, 180_000);

async function nameAnew(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name: 'Settings' }).getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save the settings' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function logAll(page: Page, slug: string): Promise<void> {
  await page.getByLabel('Log what goes in and comes out').check();
  await page.getByRole('button', { name: 'Save the logging' }).click();
  await page.getByText('It counts from the next job').waitFor();
  const { body } = await call('GET', `/workspaces/${slug}`, { key: stage.managementKey });
  expect(body.data).toMatchObject({
    is_observability_io_logging_enabled: true,
    io_logging_sampling_rate: 1,
  });
}

/** Gives the job no `metadata` with its prompt, so that only the log shows the prompt. */
async function makeVideo(page: Page, prompt: string): Promise<void> {
  await goTo(page, '/videos/new', 'New video');
  await page.getByLabel('Prompt', { exact: true }).fill(prompt);
  await page.getByLabel(/^Keep the prompt/).uncheck();
  await page.getByLabel('Length').selectOption('1');
  await page.getByLabel('Resolution').selectOption('360p');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.locator('.facts-list .badge.completed').waitFor({ timeout: 60_000 });
  expect(await page.locator('.whole-prompt').count()).toBe(0);
}

async function readLog(page: Page, workspaceId: string, prompt: string): Promise<void> {
  const generation = await page.getByText(/^gen_\w+$/).innerText();
  const path = `/generation/content?id=${generation}&workspace_id=${workspaceId}`;
  // The log entry appears some seconds after the job's end.
  await until(
    () => call('GET', path, { key: stage.managementKey }),
    ({ status }) => status === 200,
  );
  await page.getByRole('button', { name: 'Show what was logged' }).click();
  const logged = page.getByTestId('logged');
  await logged.waitFor();
  const all = new RegExp(`${prompt}.*640 × 360, 1 s.*Outputs.*video/mp4`, 's');
  expect(await logged.innerText()).toMatch(all);
}

async function sendWebhookAgain(page: Page): Promise<void> {
  const told = () => receiver.received.filter(({ body }) => page.url().endsWith(JSON.parse(body).data?.id));
  await page.locator('.job .badge.delivered').waitFor({ timeout: 60_000 });
  expect(told()).toHaveLength(1);
  await page.getByRole('button', { name: /^Send video\.generation\.completed again, of / }).click();
  await page.locator('.job .delivery .timeline li').nth(1).waitFor({ timeout: 60_000 });
  expect(told()).toHaveLength(2);
}

/** Pastes the line into a shell that has exported the key. */
async function repeatInShell(page: Page, workspaceId: string): Promise<void> {
  const key = stage.managementKey;
  const line = await page.getByTestId('curl').innerText();
  const env = { ...process.env, GENWAY_KEY: key };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
  const job = JSON.parse(stdout);
  expect(job).toMatchObject({ model: 'sandbox/clip-1', estimated_cost: 0.01 });
  // A workspace with a running job cannot be deleted.
  const { body } = await until(
    () => call('GET', `/videos/${job.id}?workspace_id=${workspaceId}`, { key }),
    (found) => found.body.status === 'completed',
  );
  expect(body.id).toBe(job.id);
}

/** The job does not exist in another workspace, so the page must offer no action. */
async function lookFromElsewhere(page: Page, workspaceId: string): Promise<void> {
  const { body } = await call('GET', '/workspaces/default', { key: stage.managementKey });
  const choice = page.getByLabel('Workspace', { exact: true });
  await choice.selectOption(body.data.id);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  expect(await page.getByTestId('curl').count()).toBe(0);
  await choice.selectOption(workspaceId);
  await page.getByTestId('curl').waitFor();
}

async function seeActivity(page: Page, columns: Readonly<Record<string, string | RegExp>>): Promise<void> {
  await goTo(page, '/activity', 'Activity');
  await page.getByLabel('Shown', { exact: true }).selectOption('jobs');
  for (const [group, name] of Object.entries(columns)) {
    await page.getByLabel('By', { exact: true }).selectOption(group);
    await page.getByRole('heading', { name: `jobs a day, by ${group}` }).waitFor();
    await page.getByRole('columnheader', { name }).last().waitFor();
  }
}

/** Deletes the chosen workspace; then the console chooses another one. */
async function deleteWorkspace(page: Page, slug: string, name: string): Promise<void> {
  await goTo(page, `/workspaces/${slug}`, name);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  await page.getByRole('link', { name }).waitFor({ state: 'detached' });
  const { body } = await call('GET', '/workspaces/default', { key: stage.managementKey });
  expect(await page.getByLabel('Workspace', { exact: true }).inputValue()).toBe(body.data.id);
  await page.evaluate(`location.hash = '/workspaces/${slug}'`);
  await page.getByRole('alert').waitFor();
}

test('a manager grants credits, and is told what is left of them', async () => {
  const { page, wrong } = await openConsole({ refusals: [400] });
  await signIn(page, stage.managementKey);
  await goTo(page, '/credits', 'Credits');
  await page.getByLabel('Amount, USD').fill('0');
  await page.getByRole('button', { name: 'Grant' }).click();
  await page.getByRole('alert').filter({ hasText: 'amount_usd' }).waitFor();
  // The first grant limits the whole deployment. Other tests use it too, so the amount must be large.
  await page.getByLabel('Amount, USD').fill('1000000');
  await page.getByLabel('Note').fill('From the console');
  await page.getByRole('button', { name: 'Grant' }).click();
  // Other tests grant credits too, so the total says nothing. An empty form shows that this grant is done.
  await until(
    () => page.getByLabel('Amount, USD').inputValue(),
    (amount) => amount === '',
  );
  await page.getByText(/left of \$[\d,]+,000/).waitFor();
  await page.getByRole('meter', { name: 'Credits: used' }).waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

test('a press without a network does nothing, says so, and does nothing later', async () => {
  const { page, wrong } = await openConsole();
  await signIn(page, stage.managementKey);
  await goTo(page, '/credits', 'Credits');
  await page.getByLabel('Amount, USD').fill('7');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Grant' }).click();
  const form = page.getByRole('region', { name: 'Grant credits' });
  await form.getByRole('alert').filter({ hasText: 'could not be reached' }).waitFor();
  const granted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') granted.push(request.url());
  });
  await page.context().setOffline(false);
  await goTo(page, '/workspaces', 'Workspaces');
  await page.getByRole('link', { name: 'Default' }).waitFor();
  expect(granted).toEqual([]);
  expect(wrong.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  await page.close();
});
