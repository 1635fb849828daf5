import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const MODULE = join(import.meta.dirname, '../../../bin/cli/process-cli.ts');
/** A program that writes until it is told to stop. It ends when its last timer has run. */
const WRITER = `
  import { stopWithoutReader } from ${JSON.stringify(MODULE)};
  const timer = setInterval(() => process.stdout.write('a line\\n'), 1);
  stopWithoutReader([process.stdout, process.stderr], () => clearInterval(timer));
`;

test('a program whose reader has gone stops on its own, without output', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER]);
  const said = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code, signal] = await once(child, 'exit');
  expect([code, signal, await said]).toEqual([0, null, '']);
});

test('any other failure of its output is still an error', async () => {
  const failing = `
    import { stopWithoutReader } from ${JSON.stringify(MODULE)};
    stopWithoutReader([process.stdout], () => process.exit(0));
    process.stdout.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', failing]);
  const said = text(child.stderr);
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(await said).toContain('no space');
});
