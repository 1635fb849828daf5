/**
 * How soon the console of a local run shows something: the sign-in page, and the videos for a tab with a key. Each load
 * uses a browser with an empty cache. The bar is a first paint within 200 ms.
 *
 *   npx node bench/first-paint.ts [loads]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { startStage } from '../local/stage.ts';
import { textProgress } from '../local/terminal/progress.ts';

const LOADS = Number(process.argv[2] ?? 11);
const BAR_MILLISECONDS = 200;

/** In milliseconds since the navigation began, as the browser measures it. */
const FIRST_PAINT = `new Promise((resolve) => {
  const look = (list) => list.getEntriesByName('first-contentful-paint').map(({ startTime }) => resolve(startTime));
  new PerformanceObserver(look).observe({ type: 'paint', buffered: true });
})`;

async function load(browser: Browser, url: string, key?: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    if (key === undefined) return Number(await page.evaluate(FIRST_PAINT));
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No videos yet').waitFor();
    return Number(await page.evaluate('performance.now()'));
  } finally {
    await context.close();
  }
}

async function repeat(name: string, once: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < LOADS; count += 1) times.push(await once());
  times.sort((a, b) => a - b);
  const [least, median, most] = [0, 0.5, 1].map((share) => times[Math.floor(share * (LOADS - 1))] ?? 0);
  process.stdout.write(
    `| ${name} | ${least?.toFixed()} to ${most?.toFixed()}, in the middle ${median?.toFixed()} |\n`,
  );
  return most ?? 0;
}

async function measure(url: string, apiKey: string): Promise<void> {
  const executablePath = await chromium.executablePath();
  const browser = await playwright.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    process.stdout.write(`${LOADS} loads each, of a stage of its own:\n\n| | ms |\n|---|---|\n`);
    const slowest = await repeat('first paint', () => load(browser, url));
    await repeat('videos are there', () => load(browser, url, apiKey));
    if (slowest >= BAR_MILLISECONDS) process.exitCode = 1;
  } finally {
    await browser.close();
  }
}

const stateDir = await mkdtemp(join(tmpdir(), 'genway-paint-'));
try {
  const progress = textProgress(process.stderr, () => performance.now());
  const stage = await startStage({ stateDir, port: 0, progress });
  try {
    if (stage.consoleUrl === undefined) throw new Error('The local stage has no console');
    await measure(stage.consoleUrl, stage.apiKey);
  } finally {
    await stage.stop();
  }
} finally {
  await rm(stateDir, { recursive: true });
}
