import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import chromium from '@sparticuz/chromium';
import { type Page, chromium as playwright, type Request } from 'playwright-core';
import { SessionStore } from '../../../functions/keys/session-store.ts';
import { useBrowser } from '../../browser.ts';
import { dynamo, tableNamed } from '../../contract/aws.ts';
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
  await page.getByRole('link', { name: 'Files' }).click();
  // From here on, the page asks for nothing by itself, which would end the session before the click.
  await page.getByText('No files yet').waitFor();
  await call('DELETE', '/sessions/current', { key: token });
  await page.getByRole('link', { name: 'Videos' }).click();
  await page.getByText('Your session has ended. Sign in again.').waitFor();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor();
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
});

/** Signs in at the identity provider as somebody in the group of that name. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  // What the console may know is asked for next.
  await page.locator('button[type=submit]').click();
}
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const auditOf = async (subject: string) => {
  const { body } = await call('GET', '/audit?limit=100', { key: stage.managementKey });
  return body.data.filter((entry: { subject: string | null }) => entry.subject === subject);
};

test('a person signs in with the identity provider, without any key, and the audit trail names them', async () => {
  const { page } = await openConsole();
  const asked = page.waitForRequest(/\/api\/v1\/key$/);
  const exchanged = page.waitForRequest(
    (request) => /\/sessions\/oidc$/.test(request.url()) && request.method() === 'POST',
  );
  await signInAs(page, 'admins');
  await heading(page, 'Videos');
  const token = credentialOf(await asked);
  expect(token).toMatch(/^cs-gw-v1-/);
  expect(new URL(page.url()).search).toBe('');
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.getByText('Person admins').waitFor();
  const slug = `t-${crypto.randomUUID()}`;
  expect(
    (await call('POST', '/workspaces', { key: token, json: { name: 'By a person', slug } })).status,
  ).toBe(201);
  const trail = await auditOf('admins');
  expect(trail).toContainEqual(
    expect.objectContaining({ action: 'create-workspace', status: 201, session_hash: expect.any(String) }),
  );
  expect(trail).toContainEqual(expect.objectContaining({ action: 'create-oidc-session' }));
  // What was exchanged is worth nothing more.
  const again = await call('POST', '/sessions/oidc', { json: (await exchanged).postDataJSON() });
  expect([again.status, again.body.error.message]).toEqual([
    401,
    'The sign-in was not accepted; sign in again',
  ]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Genway console');
  await until(
    () => statusOf(token),
    (status) => status === 401,
  );
  await page.close();
});

test('claims decide what a person may do, and whoever disables their key ends it', async () => {
  const { page } = await openConsole({ refusals: [401, 403] });
  const asked = page.waitForRequest(/\/api\/v1\/key$/);
  await signInAs(page, 'viewers');
  await heading(page, 'Videos');
  const token = credentialOf(await asked);
  const make = await call('POST', '/keys', { key: token, json: { name: 'More' } });
  expect([make.status, (await call('GET', '/keys', { key: token })).status]).toEqual([403, 200]);
  const { hash } = (await call('GET', '/key', { key: token })).body.data;
  await call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { disabled: true } });
  expect(await statusOf(token)).toBe(401);
  await page.reload();
  await page.getByRole('button', { name: /^Sign in with 127/ }).click();
  // The identity provider remembers who it is, and asks again what the console may know.
  await page.locator('button[type=submit]', { hasText: 'Continue' }).click();
  await page.getByText('Your access has been disabled or has expired; ask an administrator').waitFor();
  await call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { disabled: false } });
  await page.close();
});

test.each([
  ['strangers', 'You do not have access to this deployment; ask its administrator'],
  ['travellers', 'This account may not be used from this network'],
])('whom no grant fits here does not come in: %s', async (name, says) => {
  const { page } = await openConsole({ refusals: [403] });
  await signInAs(page, name);
  await page.getByText(says).waitFor();
  expect(await auditOf(name)).toEqual([]);
  await page.close();
});

test('a nonce that was used before is refused, though the code is good', async () => {
  const { page } = await openConsole({ refusals: [401] });
  const sessions = new SessionStore(dynamo, await tableNamed('Sessions'));
  await page.route('**/api/v1/sessions/oidc', async (route) => {
    const sent = route.request().postDataJSON();
    if (sent !== null) await sessions.useUp(sent.nonce, new Date('2030-01-01'));
    await route.continue();
  });
  await signInAs(page, 'admins');
  await page.getByText('The sign-in was not accepted; sign in again').waitFor();
  await page.close();
});

test('a sign-in that another site has begun is not finished', async () => {
  const { page } = await openConsole();
  await page.goto(`${origin}/console?code=of-somebody-else&state=${'x'.repeat(43)}`);
  await page.getByText('This sign-in did not start in this tab. Sign in again.').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.close();
});
