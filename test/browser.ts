import { afterAll, beforeAll } from '@jest/globals';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Of one file of tests: each has its own modules, and so its own browser. */
export let browser: Browser;

export function useBrowser(): void {
  beforeAll(async () => {
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      // A test runs as whoever runs it, who may be root in a container.
      args: ['--no-sandbox'],
    });
  }, 120_000);
  afterAll(() => browser?.close());
}
