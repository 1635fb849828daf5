import { afterAll, beforeAll } from '@jest/globals';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** One browser for each test file, because each file has its own modules. */
export let browser: Browser;

export function useBrowser(): void {
  beforeAll(async () => {
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      // Chromium refuses a sandbox when it runs as root, as it may in a container.
      args: ['--no-sandbox'],
    });
  });
  afterAll(() => browser?.close());
}
