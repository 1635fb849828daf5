import { describe, expect, test } from '@jest/globals';
import { readyText } from '../../../local/terminal/ready.ts';
import { coloured, plain } from '../../../local/terminal/text.ts';

const facts = {
  baseUrl: 'http://127.0.0.1:9999/api/v1',
  managementKey: 'mk-gw-v1-manager',
  apiKey: 'sk-gw-v1-caller',
  runFile: '/somewhere/run.json',
  seconds: 12.34,
};
const ESCAPE = '\u001b';

describe('the text of a ready stage', () => {
  const text = readyText(facts, plain);
  const commands = text.split('\n').filter((line) => line.includes('curl '));

  test('names the address, both keys and the file for scripts', () => {
    expect(text).toContain('Genway is ready after 12.3 s: http://127.0.0.1:9999/api/v1\n');
    expect(text).toContain('mk-gw-v1-manager');
    expect(text).toContain('sk-gw-v1-caller');
    expect(text).toContain('/somewhere/run.json');
  });

  test('names the console, if there is one', () => {
    expect(text).not.toContain('/console');
    const consoleUrl = 'http://127.0.0.1:9999/console';
    expect(readyText({ ...facts, consoleUrl }, plain)).toContain(`console         ${consoleUrl}\n`);
  });

  test('has one command for each step from a workspace to a downloaded video', () => {
    expect(
      commands.map((command) => /api\/v1(\/[a-z]+(?:\/\$job(?:\/content)?)?)/.exec(command)?.[1]),
    ).toEqual(['/workspaces', '/files', '/videos', '/videos/$job', '/videos/$job/content']);
  });

  test('uses the management key only for the workspace', () => {
    expect(commands.map((command) => command.includes('mk-gw-v1-manager'))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('is plain without colours', () => {
    expect(text).not.toContain(ESCAPE);
    expect(readyText(facts, coloured)).toContain(ESCAPE);
  });
});
