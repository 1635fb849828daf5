import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { watchRun } from '../../../local/dashboard/watched-run.ts';
import { stateFolder } from '../../../local/state-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'genway-watched-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('where nothing runs, the user hears what to start', async () => {
  await expect(watchRun(stateFolder(root), 1)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'No local stage is running: start one with npm start, and open its dashboards beside it.',
  });
});

test('where a run was killed, too', async () => {
  const state = stateFolder(root);
  // Nothing listens on the port that `discard` has.
  const aws = { endpoint_url: 'http://127.0.0.1:9', region: 'r', access_key_id: 'a', secret_access_key: 'b' };
  writeFileSync(state.runFile, JSON.stringify({ aws }));
  await expect(watchRun(state, 1)).rejects.toMatchObject({
    name: 'LocalRunError',
    message: 'The local stage does not answer: start it again with npm start.',
  });
});
