import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, newWorkspace, stage } from '../../contract/stage.ts';
import { until } from '../../contract/until.ts';
import { type LocalServer, openServer } from '../../local-server.ts';
import { choose, goTo, openConsole, signIn } from './console-page.ts';

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
  expect(await page.getByLabel('Slug').inputValue()).toBe(`studio-${slug}`);
  await page.getByLabel('Slug').fill(slug);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  // The new workspace is the chosen one, so what follows is its own.
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await chosenWorkspace(page)).toBe(name);

  await page.getByRole('link', { name: 'Spending limits' }).click();
  const daily = page.getByRole('spinbutton', { name: 'Daily limit, USD' });
  await daily.fill('0.02');
  await page.getByRole('spinbutton', { name: 'Weekly limit, USD' }).fill('0.05');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('$0.00 used or held of $0.05').waitFor();
  await page.getByText('$0.00 used or held of $0.02').waitFor();
  expect(await page.getByRole('meter', { name: 'Daily limit: used or held' }).count()).toBe(1);
  // Meanwhile the daily limit must not exceed the weekly one.
  for (const [day, week] of [
    ['0.2', '0.5'],
    ['0.02', '0.05'],
  ] as const) {
    await daily.fill(day);
    await page.getByRole('spinbutton', { name: 'Weekly limit, USD' }).fill(week);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`$0.00 used or held of $${Number(week).toFixed(2)}`).waitFor();
    await page.getByText(`$0.00 used or held of $${Number(day).toFixed(2)}`).waitFor();
  }

  await goTo(page, '/keys', 'Keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Console key');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/v1/keys', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
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
  await page.getByRole('button', { name: 'Done' }).click();
  await goTo(page, '/keys', 'Keys');
  await page.getByRole('rowheader', { name: 'Console key' }).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, secret);
  await goTo(page, '/playground', 'Playground');
  await page.getByLabel('Prompt', { exact: true }).fill('Too long for the budget');
  await page.getByLabel('Duration').selectOption('15');
  await page.getByText('Exceeds the remaining amount').waitFor();
  await page.getByRole('button', { name: /^Create video/ }).click();
  const refusal = page.getByRole('alert');
  await refusal.waitFor();
  expect(await refusal.innerText()).toMatch(/exceeds the remaining amount of the workspace’s daily budget/);
  expect(await refusal.innerText()).toMatch(/Resets /);
  expect(wrong).toEqual([]);
  await page.close();
});

test('a manager sets a webhook, tests it, sends an event again, and stores a provider’s key', async () => {
  const slug = `console-${crypto.randomUUID()}`;
  const { page, wrong } = await openConsole({ refusals: [500] });
  await signIn(page, stage.managementKey);
  await goTo(page, '/workspaces', 'Workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name').fill('Console hooks');
  await page.getByLabel('Slug').fill(slug);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('link', { name: 'Webhook' }).click();
  await page.getByLabel('Webhook URL').fill(`${receiver.url}/hook`);
  await page.getByRole('button', { name: 'Save' }).click();
  // The button stays disabled until the URL is saved, and the click waits for that.
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.locator('.delivery .badge.delivered').waitFor();
  await page.getByRole('button', { name: /^Redeliver webhook\.test from / }).click();
  await page.locator('.delivery .timeline li').nth(1).waitFor();
  expect(await page.locator('.delivery .timeline li').last().innerText()).toMatch(/HTTP status 2xx/);
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'webhook.test',
    'webhook.test',
  ]);

  await page.getByLabel('Webhook URL').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  const redeliver = page.getByRole('button', { name: /^Redeliver webhook\.test from / });
  await redeliver.and(page.locator(':disabled')).waitFor();

  await page.getByRole('button', { name: 'Reveal newest secret' }).click();
  const secret = await page.getByTestId('secret').innerText();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText('signs events with the old and the new secret').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText(secret).waitFor({ state: 'detached' });
  expect(await page.getByTestId('secret').innerText()).toMatch(/^whsec_/);

  const providerKey = `sk-proj-${'x'.repeat(40)}AbCd`;
  await page.getByRole('link', { name: 'Provider keys' }).click();
  await page.getByText('No provider keys').waitFor();
  await page.getByRole('button', { name: 'Add provider key' }).click();
  await page.getByLabel('Key', { exact: true }).fill(providerKey);
  // Every choice is one that the API supports; `sandbox` needs no key.
  const offered = page.getByLabel('Provider', { exact: true }).locator('option');
  await offered.getByText('fal', { exact: true }).waitFor({ state: 'attached' });
  const choices = await offered.allInnerTexts();
  const refused = await call('POST', '/byok', {
    key: stage.managementKey,
    json: { provider: 'no', key: 'x'.repeat(20) },
  });
  expect(refused.body.error.metadata.supported).toEqual(expect.arrayContaining(choices));
  await page.getByLabel('Provider', { exact: true }).selectOption('openai');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText(/AbCd$/).waitFor();
  expect(await page.content()).not.toContain(providerKey);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/byok/*/test', (route) => held.then(() => route.continue()), { times: 1 });
  await choose(page, 'the openai key', 'Test');
  const dialog = page.getByRole('dialog', { name: 'Test the openai key' });
  await dialog.getByText('Testing the key …').waitFor();
  letGo();
  await dialog.getByText('Key accepted', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const { body } = await call('GET', `/byok?workspace_id=${slug}`, { key: stage.managementKey });
  const json = { key: 'sk-test-refusing' };
  await call('PATCH', `/byok/${body.data[0].id}`, { key: stage.managementKey, json });
  await choose(page, 'the openai key', 'Test');
  const rejected = page.getByText(/^Key rejected: .*Incorrect API key/);
  await dialog.getByRole('status').and(rejected).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.route('**/byok/*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await choose(page, 'the openai key', 'Disable');
  // A failure is not as narrow as the menu of its row.
  expect((await page.getByRole('alert').boundingBox())?.width).toBeGreaterThan(200);
  await choose(page, 'the openai key', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No provider keys').waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

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
  await goTo(page, `/workspaces/${slug}`, 'Settings');
  await goTo(page, '/settings/limits', 'Settings');
  const budgets = page.getByRole('region', { name: 'Spending limits' });
  await budgets.getByText('Loading spending limits').waitFor();
  expect(await budgets.getByRole('button').count()).toBe(0);
  await goTo(page, '/settings/webhook', 'Settings');
  const address = page.getByRole('button', { name: 'Save' });
  await page.getByText('Loading the webhook').waitFor();
  expect(await address.count()).toBe(0);
  letGo();
  await address.click();
  await page.getByText('Webhook URL saved').waitFor();
  expect(await page.getByLabel('Webhook URL').inputValue()).toBe(webhook.default_callback_url);
  await goTo(page, '/settings/limits', 'Settings');
  await budgets.getByRole('alert').filter({ hasText: 'Not now' }).waitFor();
  expect(await budgets.getByRole('button').count()).toBe(0);
  const { body } = await call('GET', `/workspaces/${slug}/webhook`, { key });
  expect(body.data).toMatchObject(webhook);
  expect(wrong).toEqual([]);
  await page.close();
});

test('a key gets a guardrail, rates and a scope, and is edited without losing them', async () => {
  const { id } = await newWorkspace();
  const json = { name: 'Only short ones', workspace_id: id };
  const guardrail = (await call('POST', '/guardrails', { key: stage.managementKey, json })).body.data;
  const { page, wrong } = await openConsole();
  await signIn(page, stage.managementKey);
  await page.getByLabel('Workspace', { exact: true }).selectOption(id);
  await goTo(page, '/keys', 'Keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Website');
  await page.getByLabel('Guardrail', { exact: true }).selectOption({ label: 'Only short ones' });
  await page.getByText('Rate limits', { exact: true }).click();
  await page.getByLabel('Submissions').fill('30');
  await page.getByText('Scope', { exact: true }).click();
  await page.getByLabel('Create and delete videos and files').check();
  await page.getByLabel('Networks').fill('203.0.113.0/24, 2001:db8::/32');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const saved = {
    guardrail_id: guardrail.id,
    rate_limits: { submit: 30, upload: null, read: null, admin: null },
    scope: { operations: ['generate'], networks: ['203.0.113.0/24', '2001:db8::/32'], workspaces: null },
  };
  const keyNow = async () =>
    (await call('GET', `/keys?workspace_id=${id}`, { key: stage.managementKey })).body.data.find(
      ({ name }: { name: string }) => name === 'Website',
    );
  expect(await keyNow()).toMatchObject(saved);
  await choose(page, 'Website', 'Edit');
  await page.getByText('Scope: operations: generate; networks: 203.0.113.0/24').waitFor();
  await page.getByLabel('Limit, USD').fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('$0.00 used or held of $3.00').waitFor();
  await page.getByText('Key saved').waitFor();
  expect(await keyNow()).toMatchObject({ ...saved, limit: 3 });
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
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New key');
  await choose(page, name, 'Rotate');
  await page.getByRole('button', { name: 'Create new key' }).click();
  await page.getByTestId('secret').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByTestId('secret').waitFor();
  await page.getByRole('button', { name: 'Disable old key' }).click();
  const rows = page.getByRole('row').filter({ hasText: name });
  await rows.filter({ has: page.locator('.badge.disabled') }).waitFor();
  await rows.filter({ has: page.locator('.badge.active') }).waitFor();
  expect(await rows.filter({ hasText: '$0.00 used or held of $5.00' }).count()).toBe(2);
  const old = rows.filter({ has: page.locator('.badge.disabled') });
  await old.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
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
  await goTo(page, `/workspaces/${slug}`, 'Settings');
  await nameAnew(page, name);
  await logAll(page, slug);
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
});

const chosenWorkspace = (page: Page): Promise<string> =>
  page.getByLabel('Workspace', { exact: true }).locator('option:checked').innerText();

async function nameAnew(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name: 'General' }).getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await until(
    () => chosenWorkspace(page),
    (chosen) => chosen === name,
  );
}

async function logAll(page: Page, slug: string): Promise<void> {
  await page.getByRole('link', { name: 'Private logs' }).click();
  await page.getByLabel('Keep private logs').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Private log settings saved').waitFor();
  const { body } = await call('GET', `/workspaces/${slug}`, { key: stage.managementKey });
  expect(body.data).toMatchObject({
    is_observability_io_logging_enabled: true,
    io_logging_sampling_rate: 1,
  });
}

/** Gives the job no `metadata` with its prompt, so that only the log shows the prompt. */
async function makeVideo(page: Page, prompt: string): Promise<void> {
  await goTo(page, '/playground', 'Playground');
  await page.getByLabel('Prompt', { exact: true }).fill(prompt);
  await page.getByText('Advanced').click();
  await page.getByLabel(/^Save the prompt/).uncheck();
  await page.getByLabel('Duration').selectOption('1');
  await page.getByLabel('Resolution').selectOption('360p');
  await page.getByRole('button', { name: /^Create video/ }).click();
  await page.locator('.result-panel .facts .badge.completed').waitFor();
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  const heading = page.getByRole('heading', { level: 1 });
  const id = await page.getByText(/^vid_\w+$/).innerText();
  expect(await heading.innerText()).toBe(`sandbox/clip-1 ${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy ID', exact: true }).click();
  await page.getByRole('button', { name: 'Copied ID', exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id);
  expect(await page.getByRole('main').getByRole('link', { name: 'Videos' }).count()).toBe(1);
}

async function readLog(page: Page, workspaceId: string, prompt: string): Promise<void> {
  const generation = await page.getByText(/^gen_\w+$/).innerText();
  const path = `/generation/content?id=${generation}&workspace_id=${workspaceId}`;
  // The log entry appears some seconds after the job's end.
  await until(
    () => call('GET', path, { key: stage.managementKey }),
    ({ status }) => status === 200,
  );
  await page.getByRole('tab', { name: 'Private log' }).click();
  await page.getByRole('button', { name: 'Show private log' }).click();
  const logged = page.getByTestId('logged');
  await logged.waitFor();
  const all = new RegExp(`${prompt}.*640 × 360, 1 s.*Outputs.*video/mp4`, 's');
  expect(await logged.innerText()).toMatch(all);
}

async function sendWebhookAgain(page: Page): Promise<void> {
  const told = () => receiver.received.filter(({ body }) => page.url().endsWith(JSON.parse(body).data?.id));
  await page.getByRole('tab', { name: 'Webhook' }).click();
  await page.locator('.delivery .badge.delivered').waitFor();
  expect(told()).toHaveLength(1);
  await page.getByRole('button', { name: /^Redeliver video\.generation\.completed from / }).click();
  await page.locator('.delivery .timeline li').nth(1).waitFor();
  expect(told()).toHaveLength(2);
}

/** Pastes the line into a shell that has exported the key. */
async function repeatInShell(page: Page, workspaceId: string): Promise<void> {
  const key = stage.managementKey;
  await page.getByRole('tab', { name: 'Code' }).click();
  const line = await page.getByTestId('code').innerText();
  const env = { ...process.env, GENWAY_API_KEY: key };
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
  expect(await page.getByTestId('code').count()).toBe(0);
  await choice.selectOption(workspaceId);
  await page.getByRole('tab', { name: 'Code' }).waitFor();
}

async function seeActivity(page: Page, columns: Readonly<Record<string, string | RegExp>>): Promise<void> {
  await goTo(page, '/deployment/usage', 'Deployment usage');
  await page.getByLabel('Metric', { exact: true }).selectOption('jobs');
  for (const [group, name] of Object.entries(columns)) {
    await page.getByLabel('Group by', { exact: true }).selectOption(group);
    await page.getByRole('heading', { name: `Daily jobs by ${group}` }).waitFor();
    await page.getByRole('columnheader', { name }).last().waitFor();
  }
}

/** Deletes the chosen workspace; then the console chooses another one. */
async function deleteWorkspace(page: Page, slug: string, name: string): Promise<void> {
  await goTo(page, '/settings', 'Settings');
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete workspace' });
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name.slice(1));
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await confirm.click();
  await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  await page.getByRole('link', { name }).waitFor({ state: 'detached' });
  const { body } = await call('GET', '/workspaces/default', { key: stage.managementKey });
  // A page of the deployment is of no workspace.
  expect(await page.getByLabel('Workspace', { exact: true }).count()).toBe(0);
  await goTo(page, '/', 'Videos');
  expect(await chosenWorkspace(page)).toBe(body.data.name);
  await page.evaluate(`location.hash = '/workspaces/${slug}'`);
  await page.getByRole('alert').waitFor();
}

test('a manager grants credits, and is told what is left of them', async () => {
  const { page, wrong } = await openConsole({ refusals: [400] });
  await signIn(page, stage.managementKey);
  await goTo(page, '/credits', 'Credits');
  await page.getByLabel('Amount, USD').fill('0');
  await page.getByRole('button', { name: 'Grant' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Grant $0.00' }).click();
  await page.getByRole('alert').filter({ hasText: 'amount_usd' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  // The first grant limits the whole deployment. Other tests use it too, so the amount must be large.
  await page.getByLabel('Amount, USD').fill('1000000');
  await page.getByLabel('Note').fill('From the console');
  await page.getByRole('button', { name: 'Grant' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Grant $1,000,000.00' }).click();
  // Other tests grant credits too, so the total says nothing. An empty form shows that this grant is done.
  await until(
    () => page.getByLabel('Amount, USD').inputValue(),
    (amount) => amount === '',
  );
  await page.getByText(/used or held of \$[\d,]+\.\d\d/).waitFor();
  await page.getByRole('meter', { name: 'Credits: used or held' }).waitFor();
  const grants = page.getByRole('region', { name: 'Grants' });
  await grants.getByRole('row').filter({ hasText: '$1,000,000.00' }).first().waitFor();
  // What was refused is no grant.
  expect(await grants.getByText('$0.00').count()).toBe(0);
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
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Grant $7.00' }).click();
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
