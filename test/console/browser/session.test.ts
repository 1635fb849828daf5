import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import chromium from '@sparticuz/chromium';
import { type Page, chromium as playwright, type Request } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, newWorkspace, stage } from '../../contract/stage.ts';
import { until } from '../../contract/until.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

useBrowser();

const { origin } = new URL(stage.baseUrl);
const credentialOf = (request: Request) => request.headers().authorization?.replace('Bearer ', '') ?? '';

/** Signs in, and tells the token that the page sends from then on. */
async function tokenAfterSignIn(page: Page, key: string): Promise<string> {
  const asked = page.waitForRequest(/\/api\/v1\/key$/);
  await signIn(page, key);
  return credentialOf(await asked);
}
const statusOf = async (token: string) => (await call('GET', '/key', { key: token })).status;

test('the console sends the key once, then the token of a session, which ends on the server at sign-out', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  const sent: [string, string][] = [];
  page.on('request', (request) => sent.push([new URL(request.url()).pathname, credentialOf(request)]));
  const token = await tokenAfterSignIn(page, key);
  await goTo(page, '/files', 'Files');
  expect(sent.filter(([, credential]) => credential === key)).toEqual([['/api/v1/sessions', key]]);
  expect(token).toMatch(/^cs-gw-v1-/);
  expect(await statusOf(token)).toBe(200);
  const ended = page.waitForResponse(/\/sessions\/current$/);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await ended;
  expect(await statusOf(token)).toBe(401);
  expect(wrong).toEqual([]);
  await page.close();
});

test('a session ends on the server when the page is loaded anew', async () => {
  const { key } = await newWorkspace();
  const { page } = await openConsole();
  const token = await tokenAfterSignIn(page, key);
  await page.reload();
  await page.getByRole('heading', { name: 'Genway console' }).waitFor();
  await until(
    () => statusOf(token),
    (status) => status === 401,
  );
  await page.close();
});

test('a session is renewed while somebody uses the console, and not by what the page asks for by itself', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  await page.clock.install();
  await signIn(page, key);
  const renewals: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/renew')) renewals.push(request.url());
  });
  await page.getByRole('link', { name: 'Files' }).click();
  await page.clock.fastForward('06:00');
  // The page may ask for something again by now.
  await goTo(page, '/', 'Videos');
  expect(renewals).toEqual([]);
  const renewed = page.waitForResponse(/\/sessions\/current\/renew$/);
  await page.keyboard.press('Shift');
  expect((await renewed).status()).toBe(200);
  await page.keyboard.press('Shift');
  expect(renewals).toHaveLength(1);
  expect(wrong).toEqual([]);
  await page.close();
});

test('whose session has ended signs in again, and is told why', async () => {
  const { key } = await newWorkspace();
  const { page } = await openConsole({ refusals: [401] });
  const token = await tokenAfterSignIn(page, key);
  await call('DELETE', '/sessions/current', { key: token });
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByText('Your session has ended. Sign in again.').waitFor();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
  await page.close();
});

/** Every file below a folder, as its bytes. */
const filesBelow = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));

const isIn = (files: readonly Buffer[], text: string): boolean =>
  files.some((bytes) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')));

test('a fresh profile has neither key nor token on the disk, while signed in and after the browser ended', async () => {
  const { key } = await newWorkspace();
  const profile = mkdtempSync(join(tmpdir(), 'genway-profile-'));
  const context = await playwright.launchPersistentContext(profile, {
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox'],
  });
  const page = await context.newPage();
  await page.goto(`${origin}/console`);
  const token = await tokenAfterSignIn(page, key);
  await goTo(page, '/files', 'Files');
  // What a page does store is found by this search.
  const marker = `stored-${crypto.randomUUID()}`;
  await page.evaluate(`localStorage.setItem('marker', '${marker}')`);
  const during = filesBelow(profile);
  await context.close();
  const after = filesBelow(profile);
  expect(isIn(after, marker)).toBe(true);
  for (const secret of [key, token])
    expect([isIn(during, secret), isIn(after, secret)]).toEqual([false, false]);
}, 120_000);
