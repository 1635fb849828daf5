import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { announceStage } from '../../local/stage.ts';
import { findFreePort } from '../../local/system/ports.ts';
import { stateFolder } from '../../local/system/state-folder.ts';
import { type Block, blocksOf, PAGES, placeOf, ROOT } from '../docs/blocks.ts';
import { looksLike } from '../docs/looks-like.ts';
import { ShellSession } from '../docs/shell-session.ts';
import { compiledOnce, stage } from './stage.ts';

const BLOCK_MS = 180_000;

let parent: string;
let entries: [string, string][];
let readme: ShellSession | undefined;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'genway-docs-'));
  const names = (await readdir(ROOT)).filter((name) => !['.git', '.genway'].includes(name));
  entries = names.map((name) => [name, join(ROOT, name)]);
  // The pages assume that the reader has this file.
  entries.push(['fox.png', join(ROOT, 'docs/images/reference-390-light.png')]);
});

afterAll(() => rm(parent, { recursive: true, force: true }));

/** A checkout that looks as if the local stage were running from it. */
async function openSession(page: string): Promise<ShellSession> {
  const folder = join(parent, page.replaceAll('/', '-'));
  const port = String(await findFreePort());
  const environment = { ...compiledOnce, OPENAI_API_KEY: 'sk-openai-of-the-docs', PORT: port };
  const session = await ShellSession.open(folder, { entries, environment, from: readme });
  await announceStage(stateFolder(join(folder, '.genway')), stage);
  return session;
}

async function runBlock(session: ShellSession, { text, prints, answers }: Block): Promise<string> {
  const { code, output, statuses } =
    prints === undefined ? await session.run(text) : await session.runUntil(text, prints);
  const refused = statuses.filter((status) => !/^[23]/.test(status));
  // Compares everything at once, so that a failure also shows the block's output.
  expect({ output, code, refused }).toEqual({
    output,
    // A server is still running and has no exit code.
    code: prints !== undefined && code === null ? null : 0,
    refused: answers === undefined ? [] : [answers],
  });
  expect(output).toContain(prints ?? '');
  return output;
}

describe.each(PAGES)('%s', (page) => {
  const blocks = blocksOf(page).filter(({ notRun }) => notRun === undefined);
  const isShown = ({ language, isPrinted }: Block) => language === 'bash' || isPrinted;
  const shown = blocks.filter(isShown);
  if (shown.length === 0) return;

  let session: ShellSession;
  let output = '';
  beforeAll(async () => {
    session = await openSession(page);
  });
  afterAll(() => {
    session.close();
    if (page === 'README.md') readme = session;
  });

  test.each(shown.map((block) => [placeOf(block), block] as const))(
    '%s',
    async (_, block) => {
      if (block.isPrinted) expect(looksLike(block.text, output)).toBe(true);
      else output = await runBlock(session, block);
    },
    BLOCK_MS,
  );

  if (page !== 'README.md') return;
  test('leaves a playable video', async () => {
    const video = describeMp4(await readFile(join(session.folder, 'fox.mp4')));
    expect(video).toMatchObject({ width: 1280, height: 720, durationSeconds: 4 });
  });
});
