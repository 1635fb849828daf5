import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useBrowser } from '../../browser.ts';
import { stage } from '../../contract/stage.ts';
import { openReceiver, type ScriptedReceiver } from '../../webhooks/delivery/receiver.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

useBrowser();

let receiver: ScriptedReceiver;
beforeAll(async () => {
  receiver = await openReceiver((_request, response) => response.writeHead(204).end());
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
  await page.getByRole('button', { name: 'Create' }).click();
  const secret = await page.getByTestId('secret').innerText();
  expect(secret).toMatch(/^sk-gw-v1-/);
  await page.getByRole('button', { name: 'I have it' }).click();
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

test('a manager sets a webhook, tests it and sends an event again', async () => {
  const slug = `console-${crypto.randomUUID()}`;
  const { page, wrong } = await openConsole();
  await signIn(page, stage.managementKey);
  await goTo(page, '/workspaces', 'Workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name').fill('Console hooks');
  await page.getByLabel('Slug').fill(slug);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByLabel('Address').fill(`${receiver.origin}/hook`);
  await page.getByRole('button', { name: 'Save the address' }).click();
  // It waits until the button can be pressed, which it can when the address is saved.
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.locator('.delivery .badge.delivered').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Send webhook\.test again/ }).click();
  await page.locator('.delivery .timeline li').nth(1).waitFor({ timeout: 60_000 });
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'webhook.test',
    'webhook.test',
  ]);
  expect(wrong).toEqual([]);
  await page.close();
}, 120_000);

test('a key is rotated: a new one like it first, and then the old one is disabled', async () => {
  const { page, wrong } = await openConsole();
  await signIn(page, stage.managementKey);
  await goTo(page, '/keys', 'Keys');
  const name = `Rotated ${crypto.randomUUID()}`;
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Limit, USD').fill('5');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: `Rotate ${name}` }).click();
  await page.getByRole('button', { name: 'Make the new key' }).click();
  await page.getByTestId('secret').waitFor();
  await page.getByRole('button', { name: 'Disable the old key' }).click();
  const rows = page.getByRole('row').filter({ hasText: name });
  await rows.filter({ has: page.locator('.badge.disabled') }).waitFor();
  await rows.filter({ has: page.locator('.badge.active') }).waitFor();
  expect(await rows.filter({ hasText: '$5.00 left of $5.00' }).count()).toBe(2);
  expect(wrong).toEqual([]);
  await page.close();
});
