import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CommandFailed } from '../../../bin/admin/command.ts';
import { commands } from '../../../bin/admin/commands.ts';
import { runAdmin } from '../../../bin/admin/run.ts';
import { HOSTILE, OBEYED } from '../../local/terminal/hostile-text.ts';

async function run(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const stages: string[] = [];
  const open = async (stage: string) => {
    stages.push(stage);
    throw new CommandFailed('no such stack');
  };
  const code = await runAdmin(
    args,
    { open, now: () => new Date(0), random: randomBytes },
    { out: (text) => out.push(text), err: (text) => err.push(text) },
  );
  return { code, out: out.join('\n'), err: err.join('\n'), stages };
}

describe('the admin command', () => {
  test('has no terminal obey what it was given', async () => {
    for (const args of [[HOSTILE], ['list-keys', HOSTILE]]) {
      const { err } = await run(...args);
      for (const line of err.split('\n')) expect(line).not.toMatch(OBEYED);
    }
  });

  test.each(['--help', '-h'])('lists its subcommands on %s', async (flag) => {
    const { code, out, err } = await run(flag);
    expect([code, err]).toEqual([0, '']);
    for (const { usage } of commands.values()) expect(out).toContain(usage);
  });

  test('does so as an error when it is given none, or one that does not exist', async () => {
    for (const args of [[], ['make-tea']]) {
      const { code, out, err } = await run(...args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('create-management-key');
    }
  });

  test.each([...commands.keys()])('explains %s without touching a deployment', async (name) => {
    const { code, out, err, stages } = await run(name, 'whatever', '--help');
    expect([code, err, stages]).toEqual([0, '', []]);
    expect(out).toContain(`npm run admin -- ${name}`);
    expect(out).toContain('--stage STAGE');
  });

  test.each([
    [['create-management-key', 'extra'], 'This command takes no argument; got: extra'],
    [['create-management-key', '--name'], '--name'],
    [['list-keys', 'extra'], 'This command takes no argument; got: extra'],
    [['list-keys', '--nope'], '--nope'],
    [['disable-key'], 'Give the key to disable'],
    [['disable-key', 'a', 'b'], 'Give only one argument; got: a b'],
    [['rotate-key'], 'Give the key to rotate'],
    [['rotate-key', 'a', '--overlap', '721'], '--overlap must be 0 to 720 hours'],
    [['rotate-key', 'a', '--overlap', 'soon'], '--overlap must be 0 to 720 hours'],
    [['rotate-key', 'a', '--overlap=-1'], '--overlap must be 0 to 720 hours'],
  ])('says what is wrong with %j, and does nothing', async (args, message) => {
    const { code, out, err, stages } = await run(...args);
    expect([code, out, stages]).toEqual([2, '', []]);
    expect(err).toContain(message);
    expect(err).toContain(`npm run admin -- ${args[0]}`);
  });

  test.each([
    ['create-management-key'],
    ['list-keys'],
    ['disable-key', 'a'],
    ['rotate-key', 'a', '--overlap', '720'],
  ])('acts on the stage it is told, dev by default: %s', async (...args) => {
    const { code, out, err, stages } = await run(...args);
    expect({ code, out, err, stages }).toEqual({ code: 1, out: '', err: 'no such stack', stages: ['dev'] });
    expect((await run(...args, '--stage', 'prod')).stages).toEqual(['prod']);
  });
});
