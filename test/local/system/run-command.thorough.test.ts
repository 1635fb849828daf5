import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../local/system/run-command.ts';

const node = (program: string, options = {}) => runCommand(process.execPath, ['-e', program], options);

describe('running a command', () => {
  test('returns its exit code and all its output', async () => {
    const { code, output } = await node('console.log("one"); console.error("two"); process.exitCode = 3');
    expect(code).toBe(3);
    expect(output.split('\n').sort()).toEqual(['one', 'two']);
  });

  test('reports every line at once', async () => {
    const lines: string[] = [];
    await node('process.stdout.write("one\\ntwo")', { onLine: (line: string) => lines.push(line) });
    expect(lines).toEqual(['one', 'two']);
  });

  test('has no code for a command that does not exist, and says so', async () => {
    const { code, output } = await runCommand('genway-no-such-command', []);
    expect(code).toBeNull();
    expect(output).toContain('ENOENT');
  });

  test('ends it and its child processes when it is aborted', async () => {
    const abort = new AbortController();
    const child = 'setInterval(() => undefined, 1000)';
    const program = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', '${child}']);
      console.log(pid); ${child}`;
    let childPid = 0;
    const onLine = (line: string) => {
      childPid = Number(line);
      abort.abort();
    };
    const { code } = await node(program, { onLine, signal: abort.signal });
    expect(code).toBeNull();
    await expect(ended(childPid)).resolves.toBeUndefined();
  });
});

/** Waits until no such process exists. The test's timeout ends the wait otherwise. */
async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise(setImmediate);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
