import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ERROR_TYPES } from '../../functions/http/errors.ts';
import { errorBody } from '../../functions/http/response.ts';
import { browser, useBrowser } from '../browser.ts';
import { stage } from './stage.ts';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const { origin } = new URL(stage.baseUrl);

useBrowser();

/** A page, and everything that went wrong in it: errors, refused loads, requests to other hosts. */
async function openPage(path: string, width = 1440, colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('requestfailed', (request) => wrong.push(`${request.url()} ${request.failure()?.errorText}`));
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== 'data:') wrong.push(`asked ${request.url()}`);
  });
  await page.goto(`${stage.baseUrl}${path}`);
  return { page, wrong };
}

const submit = (page: Page) => page.locator('#submitVideo');

describe.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('the reference, %i px wide and %s', (width, scheme) => {
  test('shows an operation, its fields and its samples, without an error', async () => {
    const { page, wrong } = await openPage('/docs#submitVideo', width, scheme);
    for (const part of ['.fields', '.samples'])
      expect(await submit(page).locator(part).isVisible()).toBe(true);
    expect(await submit(page).locator('.fields').innerText()).toContain('frame_images');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    if (process.env.GENWAY_SCREENSHOTS === '1' && scheme === 'light') {
      await page.screenshot({ path: join(IMAGES, `reference-${width}-${scheme}.png`) });
    }
    expect(wrong).toEqual([]);
    await page.close();
  });
});

describe('the reference', () => {
  test('has samples that run when they are pasted, for the address of the deployment', async () => {
    const { page, wrong } = await openPage('/docs');
    await submit(page).getByRole('button', { name: 'Copy' }).click();
    const curl = await submit(page).locator('pre:not([hidden]) code').first().innerText();
    // A field of one line has blanks in place of the ends of lines.
    await page.locator('input[type=search]').press('Control+V');
    expect(await page.locator('input[type=search]').inputValue()).toBe(curl.replaceAll('\n', ' '));
    const env = { PATH: process.env.PATH, GENWAY_API_KEY: stage.apiKey };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', curl], { env });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'pending', model: 'sandbox/clip-1' });
    expect(curl.split('\n').length).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('shows every sample in the language that was chosen', async () => {
    const { page, wrong } = await openPage('/docs');
    await submit(page).getByRole('button', { name: 'TypeScript' }).click();
    for (const operation of ['submitVideo', 'listFiles', 'getCurrentKey']) {
      const shown = page.locator(`#${operation} .samples pre[data-language]:not([hidden])`);
      expect(await shown.innerText()).toContain(`await fetch('${stage.baseUrl}/`);
    }
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('finds an operation with the keyboard alone', async () => {
    const { page, wrong } = await openPage('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('guardrail patch');
    expect(await page.locator('nav a[data-text]:visible').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs#*Guardrail');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('leads to the console, of which it can read nothing', async () => {
    const { page, wrong } = await openPage('/docs');
    expect(await page.evaluate('window.origin')).toBe('null');
    const read = '(() => { try { return localStorage.length } catch (error) { return error.name } })()';
    expect(await page.evaluate(read)).toBe('SecurityError');
    await page.getByRole('link', { name: 'Console' }).click();
    await page.waitForURL('**/console**');
    expect(wrong).toEqual([]);
    await page.close();
  });
});

test('each guide is a separate page', async () => {
  const { page, wrong } = await openPage('/docs/first-video.html', 390);
  expect(await page.locator('h1').innerText()).toBe('Your first video');
  await page.getByRole('link', { name: 'Errors' }).first().click();
  await page.locator('h1').getByText('Errors').waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

test.each(ERROR_TYPES)('the docs_url of %s points to the line that says what to do', async (type) => {
  const { error } = errorBody({ status: 500, errorType: type, message: '' });
  const { page, wrong } = await openPage(error.metadata.docs_url.replace('/api/v1', ''));
  await page.waitForURL(`**/docs/errors.html#error-${type}`);
  await page.locator(`#error-${type}`).waitFor({ state: 'attached' });
  expect(await page.locator(`#error-${type}`).count()).toBe(1);
  expect(wrong.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  await page.close();
});

test('a page may only load its own files', async () => {
  const { headers } = await fetch(`${stage.baseUrl}/docs`);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';.*; sandbox allow-scripts$/,
  );
});
