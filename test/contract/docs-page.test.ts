import { join } from 'node:path';
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

async function openOperation(page: Page, tag: string, operationId: string) {
  const operation = page.locator(`#operations-${tag}-${operationId}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Sends the request that the page has prepared, and returns the status that it shows. */
async function send(page: Page, tag: string, operationId: string): Promise<string> {
  const operation = await openOperation(page, tag, operationId);
  await operation.locator('button.execute').click();
  const status = operation.locator('.live-responses-table .response .response-col_status').first();
  return (await status.innerText()).trim();
}

describe.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('the reference, %i px wide and %s', (width, scheme) => {
  test('shows every operation without an error', async () => {
    const { page, wrong } = await openPage('/docs', width, scheme);
    await page.locator('#operations-Videos-submitVideo').waitFor();
    const operation = await openOperation(page, 'Videos', 'submitVideo');
    await operation.locator('button.execute').waitFor();
    const isDark = await page.evaluate("document.documentElement.classList.contains('dark-mode')");
    expect(isDark).toBe(scheme === 'dark');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    if (process.env.GENWAY_SCREENSHOTS === '1') {
      await page.screenshot({ path: join(IMAGES, `reference-${width}-${scheme}.png`) });
    }
    expect(wrong).toEqual([]);
    await page.close();
  });
});

describe('the console of the reference', () => {
  test('sends a request that needs no key, and shows its response', async () => {
    const { page, wrong } = await openPage('/docs');
    expect(await send(page, 'Videos', 'listVideoModels')).toBe('200');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('sends the key that was entered', async () => {
    const { page, wrong } = await openPage('/docs');
    await page.locator('.auth-wrapper .authorize').first().click();
    const form = page.locator('.auth-container').first();
    await form.locator('input').first().fill(stage.apiKey);
    await form.locator('button[type=submit]').click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    expect(await send(page, 'Keys', 'getCurrentKey')).toBe('200');
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
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
});
