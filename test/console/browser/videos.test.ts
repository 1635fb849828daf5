import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, newWorkspace, stage } from '../../contract/stage.ts';
import { openConsole, signIn } from './console-page.ts';

useBrowser();

async function submit(page: Page, prompt: string, options?: string): Promise<void> {
  await page.getByRole('link', { name: 'New video' }).first().click();
  await page.getByLabel('Prompt', { exact: true }).fill(prompt);
  await page.getByLabel('Length').selectOption('1');
  await page.getByLabel('Resolution').selectOption('360p');
  if (options !== undefined) {
    await page.getByText('Webhook and provider options').click();
    await page.getByLabel('Provider options').fill(options);
  }
  await page.getByText('$0.01 at most').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
}

const finalStatus = (page: Page, status: string) =>
  page.locator('.facts-list .badge', { hasText: status }).waitFor({ timeout: 60_000 });

describe('somebody who signs in with an API key', () => {
  test('is told when the key is no good, and no key is kept then', async () => {
    const { page, wrong } = await openConsole({ refusals: [401] });
    await page.getByLabel('Key', { exact: true }).fill('sk-gw-v1-nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('submits a video, watches it being made and plays it to its end', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    await page.getByText('Make the first one').waitFor();
    await submit(page, 'A red fox in fresh snow');
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await finalStatus(page, 'completed');
    expect(await outcomeOfPlaying(page)).toMatch(/^ended after 1|cannot play this video/);
    expect(await page.locator('.timeline').first().getByRole('listitem').count()).toBeGreaterThan(1);
    const curl = await page.getByTestId('curl').innerText();
    expect(curl).toContain(`'${stage.baseUrl}/videos'`);
    expect(curl).not.toContain(key);
    await page.getByRole('link', { name: 'Videos', exact: true }).click();
    await page.getByRole('link', { name: 'A red fox in fresh snow' }).waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('cancels a video', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    await submit(page, 'One that takes an hour', '{"sandbox": {"latency_s": 3600}}');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await finalStatus(page, 'cancelled');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('reads why a video failed', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    await submit(page, 'One that fails', '{"sandbox": {"outcome": "moderated", "latency_s": 0}}');
    await finalStatus(page, 'failed');
    expect(await page.locator('.card .failure').innerText()).toMatch(/moderation/);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('has a key in this tab alone, which goes when they sign out', async () => {
    const { key } = await newWorkspace();
    const { page } = await openConsole();
    await signIn(page, key);
    expect(
      await page.evaluate("[sessionStorage.getItem('genway.key'), localStorage.length, document.cookie]"),
    ).toEqual([key, 0, '']);
    expect(await page.getByRole('link', { name: 'Workspaces' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Genway console' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });
});

/** A browser without H.264 must say so. */
async function outcomeOfPlaying(page: Page): Promise<string> {
  const cannot = page.getByTestId('cannot-play');
  const video = page.locator('video');
  await video.or(cannot).waitFor();
  if ((await cannot.count()) > 0) return cannot.innerText();
  return page.evaluate(`new Promise((resolve, reject) => {
    const video = document.querySelector('video');
    video.muted = true;
    video.addEventListener('ended', () => resolve('ended after ' + video.currentTime.toFixed(1)));
    video.addEventListener('error', () => reject(new Error(video.error.message)));
    video.play().catch(reject);
  })`);
}

test('the form shows only what the chosen model can do', async () => {
  const { key } = await newWorkspace();
  const models = await call('GET', '/videos/models');
  const [model] = models.body.data;
  const { page } = await openConsole();
  await signIn(page, key);
  await page.getByRole('link', { name: 'New video' }).first().click();
  const choices = page.getByLabel('Resolution').locator('option:not([value=""])');
  await page.getByLabel('Resolution').waitFor();
  expect(await choices.allInnerTexts()).toEqual(model.supported_resolutions);
  await page.close();
});

test('a frame is dropped on the form, uploaded, and named in the request', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await page.getByRole('link', { name: 'New video' }).first().click();
  await page.getByLabel(/^First frame/).setInputFiles('test/fixtures/files/accepted/ffmpeg.png');
  await page.getByText('First frame: ffmpeg.png').waitFor();
  await page.getByLabel('Prompt', { exact: true }).fill('Out of this frame');
  await page.getByLabel('Length').selectOption('1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByTestId('curl').waitFor();
  expect(await page.getByTestId('curl').innerText()).toMatch(/gw_file_\w+.*"frame_type":"first_frame"/);
  expect(wrong).toEqual([]);
  await page.close();
});
