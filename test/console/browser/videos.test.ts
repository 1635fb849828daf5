import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, newWorkspace, stage } from '../../contract/stage.ts';
import { endedVideo, until } from '../../contract/until.ts';
import { choose, dropFiles, goTo, openConsole, STORAGE, signIn } from './console-page.ts';

useBrowser();

async function submit(page: Page, prompt: string, options?: string): Promise<void> {
  await page.getByRole('link', { name: 'New video' }).first().click();
  await page.getByLabel('Prompt', { exact: true }).fill(prompt);
  await page.getByLabel('Duration').selectOption('1');
  await page.getByLabel('Resolution').selectOption('360p');
  if (options !== undefined) {
    await page.getByText('Advanced').click();
    await page.getByLabel('Provider options', { exact: true }).fill(options);
  }
  await page.getByText('Up to $0.01').waitFor();
  await page.getByRole('button', { name: /^Create video/ }).click();
}

const finalStatus = (page: Page, status: string) =>
  page.locator('.result-panel .facts .badge', { hasText: status }).waitFor();

describe('somebody who signs in with an API key', () => {
  test('is told that a key is invalid, and the key is not stored', async () => {
    const { page, wrong } = await openConsole({ refusals: [401] });
    await page.getByLabel('Key', { exact: true }).fill('sk-gw-v1-nobody');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('sends the key to the API alone: a redirect is not followed', async () => {
    const { key } = await newWorkspace();
    const { page } = await openConsole();
    // Until then the page asks where people sign in.
    await page.getByRole('button', { name: /^Sign in with/ }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const location = '/api/v1/elsewhere';
    await page.route('**/api/v1/sessions', (route) => route.fulfill({ status: 302, headers: { location } }));
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'could not be reached' }).waitFor();
    expect(asked).toEqual(['/api/v1/sessions']);
    await page.close();
  });

  test('is told that the scope of the key does not let it play videos', async () => {
    const { id, key } = await newWorkspace();
    const json = { name: 'Reader', workspace_id: id, scope: { operations: ['read'] } };
    const { body: reader } = await call('POST', '/keys', { key: stage.managementKey, json });
    const { body: made } = await call('POST', '/videos', {
      key,
      json: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 },
    });
    await endedVideo(made.id, key);
    const { page, wrong } = await openConsole();
    await signIn(page, reader.key);
    await page.getByText('To play videos, your scope must include the operation group “content”.').waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('sees thumbnails, makes a video from the last frame of another in three clicks, and extends it', async () => {
    const { key } = await newWorkspace();
    const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, metadata: { prompt: 'A fox' } };
    const { body: made } = await call('POST', '/videos', { key, json });
    await until(
      () => call('GET', `/videos/${made.id}`, { key }),
      ({ body }) => body.thumbnail_urls !== undefined,
    );
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    const poster = await page.locator('.video-card img').getAttribute('src');
    const size = `const picture = new Image(); picture.src = '${poster}'; picture.decode().then(() => picture.width)`;
    expect(await page.evaluate(size)).toBe(427);
    await page.getByRole('link', { name: 'A fox' }).click();
    await page.getByRole('link', { name: 'Continue from last frame' }).click();
    await page.getByText(`First frame: Last frame of ${made.id}`).waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('It runs away');
    await page.getByLabel('Resolution').selectOption('360p');
    await page.getByRole('button', { name: /^Create video/ }).click();
    await finalStatus(page, 'completed');
    // In another tab, which has not sent the request.
    await goTo(page, '/', 'Videos');
    await page.reload();
    await signIn(page, key);
    await page.getByRole('link', { name: 'It runs away' }).click();
    await page.getByRole('link', { name: 'Use again' }).click();
    await page.getByText(`First frame: ${made.id}`).waitFor();
    expect(await page.getByLabel('Resolution').inputValue()).toBe('360p');
    await page.locator('.input img').waitFor();
    await goTo(page, `/playground?from=${made.id}`, 'Playground');
    await page.getByLabel('Continue').selectOption('extend');
    await page.getByLabel('Prompt', { exact: true }).fill('It comes back');
    await page.getByRole('button', { name: /^Create video/ }).click();
    await finalStatus(page, 'completed');
    const { body: list } = await call('GET', '/videos', { key });
    expect(list.data).toHaveLength(3);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('submits a video, watches it being made and plays it to its end', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    await page.getByText('No videos yet').waitFor();
    await submit(page, 'A red fox in fresh snow');
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
    await finalStatus(page, 'completed');
    expect(await outcomeOfPlaying(page)).toMatch(/^ended after 1/);
    // A link expires after some minutes. The player then gets a new one, as often as necessary.
    await outliveLinks(page);
    expect(await page.locator('.stage video').getAttribute('src')).toMatch(/#t=1/);
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await page.locator('.timeline li').nth(1).waitFor();
    await page.getByText(/^640 × 360, 1 s, /).waitFor();
    await page.getByText(/^sandbox-vid_/).waitFor();
    // Only management keys may see the private log.
    expect(await page.getByRole('tab', { name: 'Private log' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Code' }).click();
    const curl = await page.getByTestId('code').innerText();
    expect(curl).toContain(`'${stage.baseUrl}/videos'`);
    expect(curl).not.toContain(key);
    await page.getByRole('link', { name: 'Videos', exact: true }).click();
    await page.getByRole('link', { name: 'A red fox in fresh snow' }).waitFor();
    expect(await page.locator('.video-card').innerText()).toMatch(
      /1 s.*completed.*sandbox\/clip-1.*\$0\.01/s,
    );
    // The pictures are in sight: the player comes when it is asked for, and the focus goes to it.
    expect(await page.locator('.video-card video:not(.thumbnail)').count()).toBe(0);
    const play = page.getByRole('button', { name: 'Play A red fox in fresh snow' });
    await play.click();
    expect(await outcomeOfPlaying(page)).toMatch(/^ended after 1/);
    expect(await page.evaluate("document.activeElement.matches('.stage video')")).toBe(true);
    // The file's structure is whole, but its pictures are broken.
    let links = 0;
    page.on('request', (request) => {
      if (/\/content\?/.test(request.url())) links++;
    });
    await page.route(`${STORAGE}/**`, async (route) => {
      const response = await route.fetch({ headers: {} });
      const body = await response.body();
      body.fill(0xff, body.indexOf('mdat') + 4);
      await route.fulfill({ response, body });
    });
    await page.reload();
    await signIn(page, key);
    await play.click();
    await page.getByText('This browser cannot play this video').waitFor();
    expect(links).toBeLessThan(2);
    await page.unroute(`${STORAGE}/**`);
    // The body is no video. A browser without H.264 fails in the same way.
    await page.route(`${STORAGE}/**`, (route) => route.fulfill({ body: 'no video' }));
    await page.reload();
    await signIn(page, key);
    await play.click();
    await page.getByText('This browser cannot play this video').waitFor();
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('sees a video that a program submits meanwhile, and filters that the address keeps', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    await page.getByText('No videos yet').waitFor();
    const json = {
      model: 'sandbox/clip-1',
      prompt: 'A fox',
      metadata: { prompt: 'From a program' },
      provider: { options: { sandbox: { submit: 402 } } },
    };
    await call('POST', '/videos', { key, json });
    await page.getByRole('link', { name: 'From a program' }).waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await page.getByText('No videos match these filters').waitFor();
    expect(page.url()).toMatch(/#\/\?status=completed$/);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('presses again after a lost answer, and has one video', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/api/v1/videos', loseAnswer, { times: 1 });
    // The provider refuses it at once, so nothing is rendered.
    await submit(page, 'One that is wanted once', '{"sandbox": {"submit": 402}}');
    await page.getByRole('alert').filter({ hasText: 'could not be reached' }).waitFor();
    await page.getByRole('button', { name: /^Create video/ }).click();
    await finalStatus(page, 'failed');
    const { body } = await call('GET', '/videos', { key });
    expect(body.data).toEqual([expect.objectContaining({ id: page.url().split('job=').at(-1) })]);
    expect(wrong).toEqual([expect.stringContaining('ERR_FAILED')]);
    await page.close();
  });

  test('cancels a video, and is asked first', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    await submit(page, 'One that takes an hour', '{"sandbox": {"latency_s": 3600}}');
    const cancels: string[] = [];
    page.on('request', (request) => {
      if (/\/cancel\b/.test(request.url())) cancels.push(request.method());
    });
    const cancel = page.getByRole('button', { name: 'Cancel video' });
    await cancel.click();
    await page.getByRole('dialog').getByText('the job continues, and is charged').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(cancels).toEqual([]);
    await cancel.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel video' }).click();
    await finalStatus(page, 'cancelled');
    expect(cancels).toEqual(['POST']);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('reads why a video failed, finds it among others, and deletes it', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole({ refusals: [404] });
    await signIn(page, key);
    await submit(page, 'One that fails', '{"sandbox": {"outcome": "moderated", "latency_s": 0}}');
    await finalStatus(page, 'failed');
    expect(await page.locator('.result-panel .failure').innerText()).toMatch(/moderation/);
    const hash = `#/videos/${page.url().split('job=').at(-1)}`;
    await page.getByRole('link', { name: 'Videos', exact: true }).click();
    await filterVideos(page, 'One that fails');
    await page.getByRole('link', { name: 'One that fails' }).click();
    await choose(page, 'this video', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No videos yet').waitFor();
    // The back button must not show the signed-out page, not even briefly.
    await page.goto(`${new URL(stage.baseUrl).origin}/console${hash}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('has a key in the memory of the page alone, which goes when they sign out or load it anew', async () => {
    const { key } = await newWorkspace();
    const { page } = await openConsole();
    await signIn(page, key);
    const stored = '[JSON.stringify({ ...sessionStorage }), localStorage.length, document.cookie]';
    expect(JSON.stringify(await page.evaluate(stored))).not.toContain(key);
    expect((await page.context().storageState({ indexedDB: true })).origins).toEqual([]);
    expect(await page.getByRole('link', { name: 'Workspaces' }).count()).toBe(0);
    await expect(page.evaluate("document.body.innerHTML = '<b>bold</b>'")).rejects.toThrow(/TrustedHTML/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Genway console' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await signIn(page, key);
    // Left by an older version of the console.
    await page.evaluate("sessionStorage.setItem('genway.key', 'old')");
    await page.reload();
    await page.getByRole('heading', { name: 'Genway console' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });

  test('signs out while a video is being submitted, and nothing of it is kept', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    const { sent, letGo } = await holdAnswers(page);
    await submit(page, 'One that nobody may read', '{"sandbox": {"submit": 402}}');
    const request = await sent;
    const ended = page.waitForEvent('requestfailed', (failed) => failed === request);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await ended;
    letGo();
    await page.getByRole('heading', { name: 'Genway console' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('stays on another page when a late answer arrives', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    const { sent, letGo } = await holdAnswers(page);
    await submit(page, 'One that is slow', '{"sandbox": {"submit": 402}}');
    await sent;
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByText('No files yet').waitFor();
    letGo();
    // After the answer session storage has the request.
    await until(
      () => page.evaluate('sessionStorage.length'),
      (length) => length === 1,
    );
    expect(new URL(page.url()).hash).toBe('#/files');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('finds the way on from a page that cannot be shown', async () => {
    const { key } = await newWorkspace();
    const { page, wrong } = await openConsole();
    await signIn(page, key);
    // This path is the list of models in the API, not a video.
    await goTo(page, '/videos/models', 'This page cannot be shown');
    expect([...new Set(wrong)]).toEqual([expect.stringMatching(/undefined/)]);
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByText('No files yet').waitFor();
    await page.close();
  });
});

/** The API receives the submit at once, but the page gets the answer only after `letGo()`. */
async function holdAnswers(page: Page) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/v1/videos', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const sent = page.waitForRequest((request) => request.method() === 'POST' && /videos$/.test(request.url()));
  return { sent, letGo };
}

async function filterVideos(page: Page, title: string): Promise<void> {
  const video = page.getByRole('link', { name: title });
  await video.waitFor();
  const [status, model] = [page.getByLabel('Status'), page.getByLabel('Model')];
  await status.selectOption('completed');
  await page.getByText('No videos match these filters').waitFor();
  expect(await video.count()).toBe(0);
  await status.selectOption('failed');
  await video.waitFor();
  await model.selectOption('sandbox/clip-1');
  await video.waitFor();
  await status.selectOption('pending');
  await page.getByText('No videos match these filters').waitFor();
  await status.selectOption('');
  await video.waitFor();
}

async function outcomeOfPlaying(page: Page): Promise<string> {
  await page.locator('.stage video:not(.thumbnail)').waitFor();
  return page.evaluate(`new Promise((resolve, reject) => {
    const video = document.querySelector('.stage video:not(.thumbnail)');
    video.muted = true;
    video.addEventListener('ended', () => resolve('ended after ' + video.currentTime.toFixed(1)));
    video.addEventListener('error', () => reject(new Error(video.error?.message)));
    video.play().catch(reject);
  })`);
}

/** Lets the first link expire, and then the second one. */
async function outliveLinks(page: Page): Promise<void> {
  const video = page.locator('.stage video');
  const loaded = page.evaluate(`new Promise((resolve) => {
    document.querySelector('.stage video').addEventListener('loadedmetadata', () => resolve(), { once: true });
  })`);
  await video.dispatchEvent('error');
  await loaded;
  const another = page.waitForResponse(/\/content\?/);
  await video.dispatchEvent('error');
  await another;
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
  const { resolution, duration } = model.defaults;
  const first = (label: string) => page.getByLabel(label).locator('option').first().textContent();
  expect(await first('Resolution')).toBe(`Default (${resolution})`);
  expect(await first('Duration')).toBe(`Default (${duration} s)`);
  await page.getByText(/^Up to/).waitFor();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/videos/estimate', async (route) => {
    await held;
    await route.continue();
  });
  // The page must not show the price of another length while it waits for this one's.
  await page.getByLabel('Duration').selectOption('1');
  expect(await page.getByText(/^Up to/).count()).toBe(0);
  letGo();
  await page.getByText(/^Up to/).waitFor();
  await page.close();
});

/** Fires the event of a paste of a file. */
async function pasteFile(page: Page, selector: string, path: string): Promise<void> {
  const file = JSON.stringify([readFileSync(path).toString('base64'), basename(path)]);
  await page.evaluate(`(([base64, name]) => {
    const clipboardData = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    clipboardData.items.add(new File([bytes], name, { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('${selector}').dispatchEvent(paste);
  })(${file})`);
}

test('an image that is pasted is the first frame alone, and does not come back once it is removed', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await page.getByRole('link', { name: 'New video' }).first().click();
  const uploads: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && uploads.push(request.url()));
  await page.getByLabel('Prompt', { exact: true }).waitFor();
  await pasteFile(page, '.submit-form textarea', 'test/fixtures/files/accepted/ffmpeg.png');
  await page.getByText('First frame: ffmpeg.png').waitFor();
  await page.getByRole('button', { name: /^Remove First frame/ }).click();
  await page.waitForLoadState('networkidle');
  expect(await page.getByText(/frame: ffmpeg.png/).count()).toBe(0);
  expect(uploads.filter((url) => url.includes('/files'))).toHaveLength(1);
  expect(wrong).toEqual([]);
  await page.close();
});

test('frames and references are dropped on the form, uploaded, and named in the request', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await page.getByRole('link', { name: 'New video' }).first().click();
  await page.getByLabel('Prompt', { exact: true }).fill('Out of this frame');
  await dropFiles(page.getByText('First frame', { exact: true }), [
    'test/fixtures/files/accepted/ffmpeg.png',
  ]);
  await page.getByText('First frame: ffmpeg.png').waitFor();
  await page.getByLabel(/^Last frame Drop/).setInputFiles('test/fixtures/files/accepted/imagemagick.jpg');
  await page.getByText('Last frame: imagemagick.jpg').waitFor();
  await page.getByText('References').click();
  const references = page.getByText('Reference: image or audio');
  await dropFiles(references, ['test/fixtures/files/accepted/ghostscript.pdf']);
  await page.getByRole('alert').filter({ hasText: 'ghostscript.pdf has the type application/pdf' }).waitFor();
  // The first upload ends last.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const slowly = async (route: Route) => {
    await held;
    await route.continue();
  };
  await page.route('**/api/v1/files', slowly, { times: 1 });
  await dropFiles(references, ['test/fixtures/files/accepted/sox.wav']);
  await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
  await dropFiles(references, ['test/fixtures/files/accepted/ffmpeg.png']);
  await page.getByText('Image: ffmpeg.png').waitFor();
  letGo();
  await page.getByText('Audio: sox.wav').waitFor();
  await pasteFile(page, '.references summary', 'test/fixtures/files/accepted/pillow-palette.png');
  await page.getByText('Image: pillow-palette.png').waitFor();
  expect(await page.getByText('Image: ffmpeg.png').count()).toBe(1);
  // A file that is dropped outside the drop zones must not change the form.
  await dropFiles(page.getByRole('heading', { level: 1 }), ['test/fixtures/files/accepted/ffmpeg.png']);
  await page.getByLabel('Duration').selectOption('1');
  await page.getByRole('button', { name: /^Create video/ }).click();
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('tab', { name: 'Code' }).click();
  const curl = await page.getByTestId('code').innerText();
  expect(curl).toMatch(/gw_file_\w+[^}]*\},"frame_type":"first_frame"/);
  expect(curl).toMatch(/gw_file_\w+[^}]*\},"frame_type":"last_frame"/);
  expect(curl).toMatch(/"audio_url":\{"url":"gw_file_\w+"/);
  expect(wrong).toEqual([]);
  await page.close();
});
