import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Sample, samplesOf } from '../../../console/videos/code-samples.ts';
import { type LocalServer, openServer } from '../../local-server.ts';

const RUNS: Readonly<Record<Sample['name'], readonly string[]>> = {
  curl: ['sh'],
  Python: ['python3'],
  TypeScript: [process.execPath, '--no-warnings'],
};
const ENDINGS = { curl: 'sh', Python: 'py', TypeScript: 'mts' } as const;

let api: LocalServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-samples-'));
  // A job is complete when it is asked for a second time.
  api = await openServer((request, response) => {
    const job =
      request.method === 'POST'
        ? { id: 'vid_1', status: 'pending' }
        : { id: 'vid_1', status: 'completed', urls: ['https://x.example/1.mp4'] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job));
  });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

async function run({ name, code }: Sample): Promise<string> {
  const path = join(folder, `sample.${ENDINGS[name]}`);
  await writeFile(path, code);
  const [program = '', ...options] = RUNS[name];
  const env = { ...process.env, GENWAY_API_KEY: 'sk-gw-v1-x' };
  return (await promisify(execFile)(program, [...options, path], { env })).stdout;
}

const BODY = {
  model: 'sandbox/clip-1',
  prompt: `It's "quoted" \\ $HOME \`id\` {x} 🦊\n'''two''' lines`,
  duration: 2,
  generate_audio: false,
  provider: { options: { sandbox: { outcome: null } } },
};
const NAMES = ['curl', 'Python', 'TypeScript'] as const;

test.each(NAMES)('the %s sample runs as it is, and sends what the form holds', async (name) => {
  const samples = samplesOf({ api: api.url, scope: { workspace_id: 'w1' }, body: BODY });
  const before = api.received.length;
  const printed = await run(samples.find((sample) => sample.name === name)!);
  const [submit, ...polls] = api.received.slice(before);
  expect(submit).toMatchObject({ method: 'POST', url: '/videos?workspace_id=w1' });
  expect(submit?.headers.authorization).toBe('Bearer sk-gw-v1-x');
  expect(JSON.parse(submit?.body ?? '')).toEqual(BODY);
  if (name === 'curl') return;
  expect(polls).toEqual([expect.objectContaining({ url: '/videos/vid_1?workspace_id=w1' })]);
  expect(printed.trim()).toBe('completed https://x.example/1.mp4');
});

test.each(NAMES)('the %s sample of a job that others made gets it', async (name) => {
  const samples = samplesOf({ api: api.url, scope: {}, jobId: 'vid_1' });
  const before = api.received.length;
  await run(samples.find((sample) => sample.name === name)!);
  expect(api.received.slice(before)).toEqual([
    expect.objectContaining({ method: 'GET', url: '/videos/vid_1' }),
  ]);
});
