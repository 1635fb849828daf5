import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { downloadsUrl } from '../../../local/edge/downloads.ts';
import { browser } from '../../browser.ts';
import { stage } from '../../contract/stage.ts';

const { origin } = new URL(stage.baseUrl);
/** The origin of signed links. */
export const STORAGE = new URL(downloadsUrl(stage.baseUrl)).origin;

export interface PageOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Error statuses that the test expects. The browser logs each of them as an error. */
  readonly refusals?: readonly number[];
  /** Turns the content security policy off, so that injected code would run. */
  readonly bypassCSP?: boolean;
}

/** A page, and everything that went wrong in it: errors, refused loads, requests to other hosts. */
export interface ConsolePage {
  readonly page: Page;
  readonly wrong: string[];
}

export async function openConsole(options: PageOptions = {}): Promise<ConsolePage> {
  const { width = 1440, colorScheme = 'light', refusals = [], bypassCSP = false } = options;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const wrong: string[] = [];
  page.on('console', (message) => {
    const [, status] = /responded with a status of (\d+)/.exec(message.text()) ?? [];
    if (message.type() === 'error' && !refusals.includes(Number(status))) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && asked !== STORAGE && protocol !== 'blob:') wrong.push(`asked ${request.url()}`);
  });
  await page.goto(`${origin}/console`);
  return { page, wrong };
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Videos', level: 1 }).waitFor();
}

/** Changes the part of the address after `#`, as the console's links do. */
export async function goTo(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

/** Chooses from the menu of a row. */
export async function choose(page: Page, row: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Fires the events of a drag from the desktop: over the place, then drop. */
export async function dropFiles(place: Locator, paths: readonly string[]): Promise<void> {
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  if (box === null) throw new Error('There is nothing to drop files on');
  const page = place.page();
  const session = await page.context().newCDPSession(page);
  const files = paths.map((path) => resolve(path));
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const data = { items: [], files, dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  }
  await session.detach();
}
