import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OpenRouter } from '@openrouter/sdk';
import { isSampled } from '../../functions/generations/log-generation.ts';
import { dynamo, tableNamed } from './aws.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const management = stage.managementKey;
const image = readFileSync(join(import.meta.dirname, '../fixtures/files/accepted/ffmpeg.png'));
const PROMPT = 'A fox that the studio keeps to itself';
const SECRET = 'secret-of-the-receiver';

interface Logged {
  readonly key: string;
  readonly workspace: string;
  readonly video: string;
  /** The query that names the generation. */
  readonly id: string;
}

/** A workspace with these settings, and the ended generation of one job in it. */
async function generate(settings: object): Promise<Logged> {
  const { id: workspace, key } = await newWorkspace();
  await call('PATCH', `/workspaces/${workspace}`, { key: management, json: settings });
  const { body } = await call('POST', '/videos', {
    key,
    json: {
      model: 'sandbox/clip-1',
      prompt: PROMPT,
      duration: 1,
      resolution: '360p',
      callback_url: `https://example.com/${SECRET}`,
      provider: { options: { sandbox: { latency_s: 0 } } },
      frame_images: [
        {
          type: 'image_url',
          frame_type: 'first_frame',
          image_url: { url: `data:image/png;base64,${image.toString('base64')}` },
        },
      ],
    },
  });
  const ended = await endedVideo(body.id, key);
  return { key, workspace, video: body.id, id: `?id=${ended.body.generation_id}` };
}

const contentOf = ({ id }: Logged) => call('GET', `/generation/content${id}`, { key: management });
const RATE = 0.0001;
const ON = { is_observability_io_logging_enabled: true };

const UNLOGGED = {
  'does not log': {},
  // The id is a number: another test reads every workspace with the official client, which accepts no other ids.
  'logs other keys': { ...ON, io_logging_api_key_ids: [7] },
  'logs no key': { ...ON, io_logging_api_key_ids: [] },
};

let unlogged: Readonly<Record<string, Logged>>;
let sampled: Logged;
let logged: Logged;
beforeAll(async () => {
  const generated = async ([which, settings]: [string, object]) => [which, await generate(settings)] as const;
  [sampled, unlogged] = await Promise.all([
    generate({ ...ON, io_logging_sampling_rate: RATE }),
    Promise.all(Object.entries(UNLOGGED).map(generated)).then((all) => Object.fromEntries(all)),
  ]);
  logged = await generate({ ...ON, io_logging_sampling_rate: 1 });
  // Ended jobs are logged in order. Once this one is logged, the earlier ones have been decided too.
  await until(
    () => contentOf(logged),
    ({ status }) => status === 200,
  );
});

describe('of a workspace that logs its generations', () => {
  test('a management key reads the inputs and outputs', async () => {
    const { body } = await contentOf(logged);
    const { hash } = (await call('GET', '/key', { key: logged.key })).body.data;
    expect(body.data).toMatchObject({
      job_id: logged.video,
      key_hash: hash,
      status: 'completed',
      provider_name: 'sandbox',
      total_cost: expect.any(Number),
      input: {
        prompt: PROMPT,
        parameters: { width: 640, height: 360, duration: 1, options: { latency_s: 0 } },
        media: [
          {
            role: 'first_frame',
            content_type: 'image/png',
            size_bytes: image.length,
            sha256: createHash('sha256').update(image).digest('hex'),
          },
        ],
      },
      error: null,
    });
    const { outputs } = (await call('GET', `/videos/${logged.video}`, { key: logged.key })).body;
    expect(body.data.output.media).toEqual(outputs);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  test('its own keys do not', async () => {
    const { status } = await call('GET', `/generation/content${logged.id}`, { key: logged.key });
    expect(status).toBe(403);
  });

  test('the table contains nothing of it in clear text', async () => {
    const TableName = await tableNamed('GenerationsLogs');
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }));
    const own = Items.find(({ workspace_id }) => workspace_id === logged.workspace);
    expect(Buffer.from(own?.content).length).toBeGreaterThan(PROMPT.length);
    expect(Buffer.from(own?.content).includes('fox')).toBe(false);
  });

  test('deleting a video deletes its log', async () => {
    const deleted = await generate(ON);
    await until(
      () => contentOf(deleted),
      ({ status }) => status === 200,
    );
    await call('DELETE', `/videos/${deleted.video}`, { key: deleted.key });
    expect((await contentOf(deleted)).status).toBe(404);
    const TableName = await tableNamed('GenerationsLogs');
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }));
    expect(Items.map(({ workspace_id }) => workspace_id)).not.toContain(deleted.workspace);
  });
});

test.each(Object.keys(UNLOGGED))('of a workspace that %s, nothing is logged', async (which) => {
  const { status, body } = await contentOf(unlogged[which]!);
  expect(status).toBe(404);
  expect(body.error.message).toBe(
    'There is no log of this generation: it has not been logged, or its log has expired',
  );
});

test('of a workspace that logs a sample, jobs in the sample are logged', async () => {
  const isKept = isSampled(sampled.id.slice('?id='.length), RATE);
  expect((await contentOf(sampled)).status).toBe(isKept ? 200 : 404);
});

describe('the data and cost of a generation', () => {
  const ask = (key: string, query = logged.id) => call('GET', `/generation${query}`, { key });

  test('can be read with its workspace’s key and with management keys, logged or not', async () => {
    for (const { key, id, video } of [logged, unlogged['does not log']!]) {
      const own = await ask(key, id);
      expect(own.status).toBe(200);
      expect(own.body.data).toMatchObject({ job_id: video, status: 'completed', finish_reason: 'stop' });
      expect(own.body.data.latency).toBeGreaterThan(0);
      expect((await ask(management, id)).body).toEqual(own.body);
    }
  });

  test('cannot be read with another workspace’s key, nor under another workspace’s name', async () => {
    const other = unlogged['does not log']!;
    const foreign = await ask(other.key);
    expect(foreign.status).toBe(404);
    expect(foreign.body.error.message).toBe('No such generation');
    expect((await ask(management, `${logged.id}&workspace_id=${other.workspace}`)).status).toBe(404);
    expect((await ask(management, `${logged.id}&workspace_id=${logged.workspace}`)).status).toBe(200);
  });

  test.each(['gen_01jg000000000000000000000a', 'gen-other', 'vid_01jg000000000000000000000a'])(
    'are not found for %s, which is not a generation',
    async (id) => {
      expect((await ask(management, `?id=${id}`)).status).toBe(404);
    },
  );

  test('need an id in the request', async () => {
    const { status, body } = await ask(management, '');
    expect(status).toBe(400);
    expect(body.error.metadata.path).toBe('id');
  });

  test('can be read with the official client', async () => {
    const client = new OpenRouter({
      serverURL: stage.baseUrl,
      apiKey: logged.key,
      retryConfig: { strategy: 'none' },
    });
    const { data } = await client.generations.getGeneration({ id: logged.id.slice('?id='.length) });
    expect(data).toMatchObject({ providerName: 'sandbox', apiType: 'video', finishReason: 'stop' });
  });
});
