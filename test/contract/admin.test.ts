import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { lookThrough } from '../../bin/admin/incident.ts';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { OwnQueue } from '../engines/conformance/index.ts';
import { HOSTILE, OBEYED, SHOWN } from '../local/terminal/hostile-text.ts';
import { call, compiledOnce, newWorkspace, stage } from './stage.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command like a deployer, who has AWS credentials and nothing else. */
const admin = (args: string[], deployed = 'local'): Promise<Ended> => genway(['admin', ...args], deployed);

async function genway(args: string[], deployed?: string, more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const asked = deployed === undefined ? [] : ['--stage', deployed];
  const child = spawn(process.execPath, ['bin/genway.ts', ...args, ...asked], {
    env: { ...awsEnvironment(stage.aws), ...compiledOnce, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

const status = async (key: string) => (await call('GET', '/key', { key })).status;
const own = async (key: string) => (await call('GET', '/key', { key })).body.data;

async function issue(name: string, fields = {}) {
  const { body } = await call('POST', '/keys', { key: stage.managementKey, json: { name, ...fields } });
  return body as { key: string; data: { hash: string; label: string } };
}

describe('npm run admin', () => {
  test('creates a working management key, and lists it', async () => {
    const made = await admin(['create-management-key', '--name', 'From the shell']);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toMatch(/^mk-gw-v1-[0-9A-Za-z]{49}\n$/);
    const key = made.stdout.trim();
    const { hash, label, is_management_key: isManagement } = await own(key);
    expect(isManagement).toBe(true);
    const api = await issue('Not of management');
    const [listed, all] = await Promise.all([admin(['list-keys']), admin(['list-keys', '--all', '--json'])]);
    expect(listed.stdout).toMatch(new RegExp(`^${label} {2}live .*From the shell {2}${hash}$`, 'm'));
    expect(listed.stdout).not.toContain(api.data.hash);
    const rows = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => row.hash)).toEqual(expect.arrayContaining([hash, api.data.hash]));
    expect(all.stdout + listed.stdout).not.toContain(key);
  });

  test('disables a key by its hash or its label', async () => {
    for (const name of ['hash', 'label'] as const) {
      const { key, data } = await issue('Leaked');
      expect(await admin(['disable-key', data[name]])).toMatchObject({
        code: 0,
        stdout: `Disabled ${data.label} (Leaked)\n`,
      });
      expect(await status(key)).toBe(401);
    }
  });

  test('shows names with escaped control characters', async () => {
    const name = HOSTILE.replace('\u0000', '');
    const shown = SHOWN.replace('\\u0000', '');
    const { stdout } = await admin(['create-management-key', '--name', name]);
    const { hash } = await own(stdout.trim());
    const asJson = await admin(['list-keys', '--json']);
    expect(asJson.stdout.split('\n').map((line) => line && JSON.parse(line).name)).toContain(name);
    for (const line of asJson.stdout.split('\n')) expect(line).not.toMatch(OBEYED);
    for (const args of [['list-keys'], ['disable-key', hash], ['rotate-key', hash]]) {
      const { stdout, stderr } = await admin(args);
      expect(stdout + stderr).toContain(shown);
      for (const line of (stdout + stderr).split('\n')) expect(line).not.toMatch(OBEYED);
    }
  });

  test('grants credits', async () => {
    const credits = async () => (await call('GET', '/credits', { key: stage.managementKey })).body.data;
    const { total_credits: before } = await credits();
    const granted = await admin(['grant-credits', '1000000.5', '--note', 'Quarter']);
    expect([granted.code, granted.stdout]).toEqual([
      0,
      expect.stringMatching(/^\$[\d,.]+ granted in total\n$/),
    ]);
    expect((await credits()).total_credits).toBeGreaterThanOrEqual(before + 1_000_000.5);
    for (const amount of ['0', '-1', 'much', '']) {
      expect((await admin(['grant-credits', amount])).code).toBe(2);
    }
  });

  test('rotates a key: the new one works; the old one stops at once, or after the overlap', async () => {
    const old = await issue('CI', { limit: 5, limit_reset: 'daily', rate_limits: { submit: 7 } });
    const rotated = await admin(['rotate-key', old.data.hash]);
    expect(rotated.code).toBe(0);
    expect(await own(rotated.stdout.trim())).toMatchObject({
      name: 'CI',
      is_management_key: false,
      limit: 5,
      limit_reset: 'daily',
      rate_limits: { submit: 7, read: null },
    });
    expect(await status(old.key)).toBe(401);

    const another = await issue('CI');
    const overlapping = await admin(['rotate-key', another.data.hash, '--overlap', '1']);
    expect(await status(overlapping.stdout.trim())).toBe(200);
    const { expires_at: end } = await own(another.key);
    expect(Math.abs(Date.parse(end) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  test('exits with 1 and a sentence for a key or a stage that does not exist', async () => {
    const { data } = await issue('Off');
    await admin(['disable-key', data.hash]);
    const nothing = await admin(['rotate-key', data.hash]);
    expect([nothing.code, nothing.stdout]).toEqual([1, '']);
    expect(nothing.stderr).toMatch(/is disabled, so it cannot be rotated\n$/);
    const unknown = await admin(['disable-key', '0'.repeat(64)]);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/^No key has that hash or label/),
    ]);
    const elsewhere = await admin(['list-keys'], 'elsewhere');
    expect([elsewhere.code, elsewhere.stdout]).toEqual([1, '']);
    expect(elsewhere.stderr).toContain('Genway-elsewhere');
  });
});

describe('npm run admin -- incident', () => {
  // No other test waits for these workers.
  const paused = ['log-generations', 'sweep-files'];
  const workers = async () => {
    const { stdout } = await admin(['incident', 'workers']);
    return Object.fromEntries(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2)));
  };

  test('pauses workers of streams and schedules, and resumes them', async () => {
    const before = await workers();
    expect(before).toMatchObject({
      'poll-videos': 'running',
      'log-generations': 'running',
      'sweep-files': 'running',
    });
    expect(await admin(['incident', 'pause', ...paused])).toEqual({
      code: 0,
      stdout: 'log-generations is paused\nsweep-files is paused\n',
      stderr: '',
    });
    try {
      expect(await workers()).toEqual({ ...before, 'log-generations': 'paused', 'sweep-files': 'paused' });
    } finally {
      await admin(['incident', 'resume', ...paused]);
    }
    expect(await workers()).toEqual(before);
  });

  test('changes no worker if one of the names is wrong', async () => {
    const { code, stderr } = await admin(['incident', 'pause', 'sweep-files', 'sweep-tables']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no worker sweep-tables; .*poll-videos/),
    ]);
    expect(await workers()).toHaveProperty('sweep-files', 'running');
  });

  test('redrives the dead letters of a worker with a queue', async () => {
    expect(await admin(['incident', 'redrive', 'poll-videos'])).toMatchObject({
      code: 0,
      stdout:
        'No dead letters of poll-videos were found; if another command is reading them, try again in a minute\n',
    });
    expect(await admin(['incident', 'redrive', 'sweep-files'])).toMatchObject({
      code: 1,
      stderr: 'sweep-files has no queue, so it has no dead letters\n',
    });
  });

  test('lists the dead letters of a worker with a queue', async () => {
    expect(await admin(['incident', 'dead-letters', 'poll-videos'])).toMatchObject({
      code: 0,
      stdout:
        'No dead letters of poll-videos were found; if another command is reading them, try again in a minute\n',
    });
    const unknown = await admin(['incident', 'dead-letters', 'poll-videos', '--remove', 'none']);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/^No dead letter none of poll-videos was found/),
    ]);
  });

  test('shows every letter of a queue without taking one, and removes the one that is named', async () => {
    const sqs = new SQSClient({ ...stage.aws });
    const queue = await OwnQueue.create(sqs, { VisibilityTimeout: '600' });
    const bodies = Array.from({ length: 23 }, (_, job) => `letter ${job}`);
    for (const body of bodies) await queue.send(body);
    const look = async (remove?: string) => [...(await lookThrough(queue.url, sqs, remove))];
    const seen = await look();
    expect(seen.map(({ Body }) => Body).toSorted()).toEqual(bodies.toSorted());
    await look(seen.find(({ Body }) => Body === 'letter 7')?.MessageId);
    const left = await look();
    expect(left.map(({ Body }) => Body).toSorted()).toEqual(
      bodies.filter((body) => body !== 'letter 7').toSorted(),
    );
  });

  test('explains a job on one screen', async () => {
    const { key, id: workspace } = await newWorkspace();
    const json = { model: 'sandbox/clip-1', prompt: 'A private fox', duration: 1, size: '640x360' };
    const { id } = (await call('POST', '/videos', { key, json })).body;
    const { code, stdout } = await admin(['incident', 'explain', id]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${id}  (pending|in_progress|completed)\\n  next {6}\\w`));
    expect(stdout).toContain(`workspace: ${workspace}\n`);
    expect(stdout).toMatch(/^ {2}workers {3}submit-jobs {7}running {2}\d+ waiting/m);
    expect(stdout).not.toContain('A private fox');
    const unknown = await admin(['incident', 'explain', 'vid_none']);
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no job vid_none\n']);
  });
});

describe('genway doctor', () => {
  test('finds nothing wrong for a deployed stage', async () => {
    const { code, stdout, stderr } = await genway(['doctor'], 'local');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').map((line) => line.split(/ +/, 2).join(' '))).toEqual([
      'ok settings',
      'ok alarms',
      'ok models',
      'ok credentials',
      'ok account',
      'ok bootstrap',
      'ok stack',
      'ok leftovers',
      'ok concurrency',
      '',
    ]);
    expect(stdout).toMatch(/^ok {5}stack {8}Genway-local is (CREATE|UPDATE)_COMPLETE$/m);
  });

  test('takes no key of a running stack for a leftover of another with the same stage name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genway-doctor-'));
    const file = join(folder, 'local.json');
    await writeFile(
      file,
      '{"platform":"emulator","data":"destroy","edge":"none","largeUploads":"off","own":{"namePrefix":"Acme"}}',
    );
    const { stdout } = await genway(['doctor', '--config', file]);
    await rm(folder, { recursive: true });
    expect(stdout).toMatch(/^ok +stack +Acme-local does not exist yet/m);
    expect(stdout).toMatch(/^ok +leftovers +none from an earlier deployment$/m);
  });

  test('checks what the upload server needs, and says what is missing', async () => {
    const found = await genway(['doctor'], 'dev', { CDK_DOCKER: 'no-such-docker' });
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(
      /^ok {5}zones {8}As far as Genway knows, CloudFront supports us-east-1\w, us-east-1\w/m,
    );
    expect(found.stdout).toMatch(
      /^ok {5}stack {8}Genway-dev does not exist yet: the first deployment creates it$/m,
    );
    expect(found.stdout).toMatch(
      /^fault {2}docker {7}no-such-docker, which builds the image of the upload server, does not respond: /m,
    );
    expect(found.stderr).toBe('Before you deploy dev, fix: docker\n');
  });

  test.each([
    ['prod', {}, 'settings, account', /config\/stages\/prod.json must set account and region/],
    ['nowhere', {}, 'settings', /No stage "nowhere"; the stages are: /],
    [
      'local',
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      'credentials',
      /Set AWS_PROFILE, or sign in/,
    ],
  ])('stops if %s has no account or region: %j', async (deployed, environment, about, sentence) => {
    const { code, stdout, stderr } = await genway(['doctor'], deployed, {
      CDK_DOCKER: 'true',
      ...environment,
    });
    expect([code, stderr]).toEqual([1, `Before you deploy ${deployed}, fix: ${about}\n`]);
    expect(stdout).toMatch(sentence);
  });
});
