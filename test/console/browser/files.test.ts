import { randomFillSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useBrowser } from '../../browser.ts';
import { call, form, newWorkspace } from '../../contract/stage.ts';
import { choose, dropFiles, goTo, openConsole, signIn } from './console-page.ts';

const LARGEST = 100 * 1024 ** 2;

useBrowser();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-console-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A WAV file of this many bytes: a header, then noise. */
async function soundFile(bytes: number): Promise<string> {
  const wav = randomFillSync(Buffer.alloc(bytes));
  wav.write('RIFF', 0);
  wav.writeUInt32LE(bytes - 8, 4);
  wav.write('WAVEfmt ', 8);
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x44, 0xac, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0]).copy(wav, 16);
  wav.write('data', 36);
  wav.writeUInt32LE(bytes - 44, 40);
  const path = join(folder, `${bytes}.wav`);
  await writeFile(path, wav);
  return path;
}

test('100 MiB are uploaded, and show how far they are', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await goTo(page, '/files', 'Files');
  await page.getByText('No files yet').waitFor();
  const values = page.evaluate(`new Promise((resolve) => {
    const seen = [];
    const look = () => {
      const bar = document.querySelector('.upload progress');
      if (bar !== null && seen.at(-1) !== bar.value) seen.push(bar.value);
      if (bar === null && seen.length > 0) resolve(seen);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  await page.getByLabel(/^Drop files here/).setInputFiles(await soundFile(LARGEST));
  await page.getByText('Stored as audio/wav').waitFor();
  await page.getByRole('cell', { name: '100.0 MiB' }).waitFor();
  await page.getByText('100.0 MiB used of 10.0 GiB').waitFor();
  expect(await page.getByRole('meter', { name: 'Storage: used' }).getAttribute('value')).toBe(
    String(LARGEST),
  );
  const seen = (await values) as number[];
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(wrong).toEqual([]);
  await page.close();
});

test('an upload ends when somebody signs out', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole();
  await signIn(page, key);
  await goTo(page, '/files', 'Files');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/v1/files', async (route) => {
    await held;
    await route.abort();
  });
  const sent = page.waitForRequest('**/api/v1/files');
  await page.getByLabel(/^Drop files here/).setInputFiles('test/fixtures/files/accepted/sox.wav');
  const request = await sent;
  const ended = page.waitForEvent('requestfailed', (failed) => failed === request);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await ended;
  letGo();
  expect(wrong).toEqual([]);
  await page.close();
});

test('one byte more is refused in words, and so is a type that is not taken', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole({ refusals: [400, 413] });
  await signIn(page, key);
  await goTo(page, '/files', 'Files');
  const input = page.getByLabel(/^Drop files here/);
  await input.setInputFiles('test/fixtures/files/refused/gzip.gz');
  await page.getByRole('alert').filter({ hasText: 'accepted' }).waitFor();
  await input.setInputFiles(await soundFile(LARGEST + 1));
  await page
    .getByRole('alert')
    .filter({ hasText: /100 MiB|104,?857,?600/ })
    .waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});

test('files are dropped on the page, previewed and deleted', async () => {
  const { key } = await newWorkspace();
  const { page, wrong } = await openConsole({ refusals: [404] });
  await signIn(page, key);
  await goTo(page, '/files', 'Files');
  const gone = (await call('POST', '/files', { key, body: form('soon gone', 'gone.txt') })).body.id;
  const notes = join(folder, 'notes.txt');
  await writeFile(notes, '<b>bold</b> or not');
  await dropFiles(page.getByText('Drop files here, or choose files'), [
    notes,
    'test/fixtures/files/accepted/ffmpeg.png',
  ]);
  await page.getByText('Stored as text/plain').waitFor();
  await page.getByText('Stored as image/png').waitFor();
  await choose(page, 'ffmpeg.png', 'Preview');
  const image = page.getByRole('img', { name: 'ffmpeg.png' });
  await image.waitFor();
  await page.keyboard.press('Escape');
  await choose(page, 'notes.txt', 'Preview');
  await page.getByText('<b>bold</b> or not').waitFor();
  await page.keyboard.press('Escape');
  await call('DELETE', `/files/${gone}`, { key });
  await choose(page, 'gone.txt', 'Download');
  await page.getByRole('row').filter({ hasText: 'gone.txt' }).getByRole('alert').waitFor();
  for (const name of ['notes.txt', 'ffmpeg.png']) {
    await choose(page, name, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('rowheader', { name }).waitFor({ state: 'detached' });
  }
  await page.getByText('No files yet').waitFor();
  expect(wrong).toEqual([]);
  await page.close();
});
