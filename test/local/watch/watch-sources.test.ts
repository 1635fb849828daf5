import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { watchSources } from '../../../local/watch/watch-sources.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-watch-'));
  await mkdir(join(folder, 'deep'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('changes in a folder are reported, also those during the work, and a failure does not stop the watch', async () => {
  const events = new EventEmitter();
  const failures: unknown[] = [];
  let calls = 0;
  const seen: string[][] = [];
  const sources = watchSources(
    folder,
    async (files) => {
      calls++;
      seen.push([...files].sort());
      if (calls === 1) await writeFile(join(folder, 'deep', 'meanwhile.ts'), '2');
      events.emit('call', calls);
      if (calls === 1) throw new Error('the first fails');
    },
    (error) => failures.push(error),
  );
  const twice = new Promise((resolve) => events.on('call', (count) => count === 2 && resolve(count)));
  const first = once(events, 'call');
  await writeFile(join(folder, 'deep', 'handler.ts'), '1');
  expect(await first).toEqual([1]);
  expect(await twice).toBe(2);
  await sources.stop();
  // After a failure the same file is reported again.
  expect(seen[1]).toEqual([join('deep', 'handler.ts'), join('deep', 'meanwhile.ts')]);
  expect(failures).toEqual([new Error('the first fails')]);
});
