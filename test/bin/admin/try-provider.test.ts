import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ProviderKeyStore } from '../../../functions/provider-keys/provider-key-store.ts';
import { sealSecret } from '../../../functions/provider-keys/secret-box.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { offerSchema } from '../../../functions/videos/catalogue/offer.ts';
import { OfferStore } from '../../../functions/videos/catalogue/offer-store.ts';
import { put } from '../../../functions/videos/catalogue/stage-catalogue.ts';
import { type Manners, manners } from '../../../functions/videos/providers/manners.ts';
import { DEFAULT_WORKSPACE_ID } from '../../../functions/workspaces/workspace.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { listsOf } from '../../lists/lists-of.ts';
import { aProviderKey } from '../../provider-keys/a-provider-key.ts';
import { render } from '../../videos/providers/sandbox/render.ts';
import { type Answer, json, KEY, WireServer } from '../../videos/providers/wire-server.ts';
import { type VendorName, wiresFor } from '../../videos/providers/wires.ts';
import { genway, type Ran } from '../cli/genway.ts';
import { aDeployment } from './a-deployment.ts';

const ID = 't1';
const WIRES = wiresFor(ID);
const SMALL = { width: 640, height: 360, durationSeconds: 1 };
const video = await render(SMALL);
const longVideo = await render({ ...SMALL, durationSeconds: 2, generateAudio: true });

const VENDORS = Object.keys(WIRES).filter((name): name is VendorName => name in WIRES && name !== 'bedrock');
const mannersOf = (name: VendorName): Manners => manners[name];

interface Case {
  readonly args?: readonly string[];
  readonly secret?: string | undefined;
  /** What the vendor answers to polls of the second job after the cancel. @default as its manners say */
  readonly afterCancel?: Answer;
  readonly submit?: Answer;
  /** Told of a finished video, beside its address. */
  readonly more?: object;
  readonly video?: Uint8Array;
}

/** A vendor as the table says, a stage that has a key for it, and a row of one small video. */
async function tried(name: VendorName, { args = [], secret = KEY, ...given }: Case = {}) {
  await using server = await WireServer.open();
  const { base = '', submit, created, poll, words, told, result, cancel } = WIRES[name];
  const [queued, running, succeeded, cancelled] = words;
  const url = `${server.origin}/v.mp4?alt=media`;
  const state = (word: string) => json(200, told(word, url));
  const forgotten = mannersOf(name).cancel?.staysReadable ? state(cancelled ?? '') : json(404, {});
  server.on(submit, given.submit ?? json(200, created));
  server.on(
    poll,
    state(queued),
    state(running),
    json(200, { ...told(succeeded, url), ...given.more }),
    state(queued),
    given.afterCancel ?? forgotten,
  );
  if (result !== undefined) server.on(result[0], json(200, result[1](url)));
  if (cancel !== undefined) server.on(cancel, json(200, {}));
  server.on('GET /v.mp4?alt=media', (response) => response.end(given.video ?? video));
  const open = await aStage(name, { base_url: `${server.origin}${base}` }, secret);
  let now = 0;
  const cli = {
    now: () => new Date(now),
    pause: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const asked = ['try-provider', name, '--endpoint', 'try/small', '--spend', '1', ...args];
  const ran: Ran = await genway(['admin', ...asked, '--stage', 'prod'], cli, { open });
  return { ...ran, requests: server.requests.map(({ method, url }) => `${method} ${url}`) };
}

async function aStage(name: VendorName, settings: object, secret: string | undefined) {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const { dynamo, kms } = world.startProcess();
  const names: Readonly<Record<string, string>> = {
    EndpointsTable: stage.name('Routing-Endpoints'),
    ProviderKeysTable: stage.name('ProviderKeys-Table'),
    ProviderKeysKey: stage.name('ProviderKeys-Key'),
    WorkspacesTable: stage.name('Workspaces'),
    VideoProviders: JSON.stringify({ bedrock: {}, 'gemini-veo': {}, [name]: settings }),
  };
  const output = (wanted: string) => names[wanted] ?? '';
  if (secret !== undefined) {
    const key = aProviderKey('a', { provider: name, workspace_id: DEFAULT_WORKSPACE_ID });
    const ciphertext = await sealSecret(kms, output('ProviderKeysKey'), key, secret);
    await new ProviderKeyStore(dynamo, output('ProviderKeysTable')).create(
      { ...key, ciphertext },
      listsOf(dynamo, stage),
    );
  }
  const row = v.parse(offerSchema, {
    ...findOffer('sandbox/clip-1')!,
    id: 'try/small',
    provider: name,
    upstream: 'model-1',
    price_per_second: { silent: 100_000, with_audio: 100_000 },
    resolutions: ['360p'],
    default_resolution: '360p',
    durations: [1, 4],
  });
  const note = { action: 'put', offer: row.id, by: 'test' } as const;
  await new OfferStore(dynamo, output('EndpointsTable')).change(
    (changes) => put(changes, row, false),
    note,
    new Date(0),
  );
  return async () => aDeployment(output, { world });
}

test.each(VENDORS)(
  '%s is tried: a video is made, downloaded and compared, and another cancelled',
  async (name) => {
    const { code, out, err, requests } = await tried(name);
    expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringContaining('differs   nothing') });
    const { submit, cancel } = WIRES[name];
    expect(requests.filter((request) => request === submit)).toHaveLength(cancel === undefined ? 1 : 2);
    expect(requests.filter((request) => request === cancel)).toHaveLength(cancel === undefined ? 0 : 1);
    expect(out).toContain('640x360, 1.00 s');
    expect(out).toMatch(
      cancel === undefined ? /cancel +not tried/ : /cancel +before: (queued|running|unknown); cancellation: /,
    );
    expect(out).not.toContain(KEY);
    expect(out).not.toContain('http');
  },
);

describe('what differs from the row', () => {
  test.each<[string, Case, string]>([
    ['the charge', { more: { cost: { credits: 12 } } }, 'the charge is $0.12, but the catalogue says $0.10'],
    ['the length', { video: longVideo }, 'the video lasts 2.00 s instead of 1 s'],
    ['the sound', { video: longVideo }, 'the video has sound, but should be silent'],
    [
      'a cancel without effect',
      { afterCancel: json(200, { id: ID, status: 'SUCCEEDED', output: ['https://v'] }) },
      'cancelling did not stop the job; its state was queued before, and succeeded afterwards',
    ],
  ])('is told, and is a code of its own: %s', async (_, given, difference) => {
    const { code, out, err } = await tried('runway', given);
    expect({ code, out, err }).toMatchObject({ code: 5, out: expect.stringContaining(difference) });
  });

  test('is not the charge that the row says', async () => {
    expect(await tried('runway', { more: { cost: { credits: 10 } } })).toMatchObject({
      code: 0,
      out: expect.stringContaining('charge    $0.10; the catalogue says $0.10'),
    });
  });

  test('is a video that is none, which is no video', async () => {
    expect(await tried('runway', { video: Buffer.from('<html>') })).toMatchObject({
      code: 4,
      out: expect.stringContaining('the result cannot be downloaded, or is not a valid MP4 file'),
    });
  });
});

describe('no video', () => {
  test.each<[string, number, Case, RegExp]>([
    [
      'the vendor refuses',
      4,
      { submit: json(400, { error: `Bad ratio for ${KEY}` }) },
      /error +refused: .*Bad ratio/,
    ],
    ['the key is wrong', 1, { submit: json(401, { error: 'No' }) }, /error +credential/],
    ['the vendor is busy', 3, { submit: json(429, {}) }, /error +rate_limited/],
    ['the answer is lost', 3, { submit: (response) => response.destroy() }, /error +ambiguous/],
  ])('is reported, if %s', async (_, code, given, reported) => {
    const ran = await tried('runway', given);
    expect(ran).toMatchObject({ code, out: expect.stringMatching(reported) });
    expect(ran.out + ran.err).not.toContain(KEY);
    expect(ran.requests).toHaveLength(1);
  });

  test.each<[string, Case, RegExp]>([
    [
      'both jobs may cost more',
      { args: ['--spend', '0.19'] },
      /^Two jobs on try\/small may cost \$0\.20, .*\$0\.19/,
    ],
    [
      'there is no such endpoint',
      { args: ['--endpoint', 'a/b'] },
      /^runway has no endpoint a\/b; .*runway\/gen-4\.5/,
    ],
    [
      'the endpoint makes videos only from an image',
      { args: ['--endpoint', 'runway/gen-4-turbo'] },
      /^A trial sends only a prompt, but these endpoints require an image or a video: runway\/gen-4-turbo\. Try another/,
    ],
    [
      'the endpoint makes videos only from a video',
      { args: ['--endpoint', 'runway/aleph-2'] },
      /^A trial sends only a prompt, .*: runway\/aleph-2\. Try another/,
    ],
    ['there is no such workspace', { args: ['--workspace', 'nowhere'] }, /^There is no workspace nowhere/],
  ])('is asked for, if %s', async (_, given, message) => {
    expect(await tried('runway', given)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(message),
      requests: [],
    });
  });

  test('is asked for of the cheapest endpoint, where that makes none from a prompt', async () => {
    const open = await aStage('replicate', {}, undefined);
    const ran = await genway(['admin', 'try-provider', 'replicate', '--spend', '0.01'], {}, { open });
    // Grok Imagine there costs less and needs an image.
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('replicate/wan-3.0 may cost') });
  });

  test('is asked for without a key', async () => {
    const open = await aStage('runway', {}, undefined);
    const ran = await genway(['admin', 'try-provider', 'runway', '--spend', '9'], {}, { open });
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('no key for this provider') });
  });

  test.each([
    ['nobody', /^The stage has no provider nobody; its providers are: bedrock, gemini-veo, runway/],
    [
      'bedrock',
      /^Only the stage itself can call bedrock; to try the provider, create a video with one of its models on that stage/,
    ],
    [
      'gemini-veo',
      /^gemini-veo has no endpoint; to add one, run npx genway admin endpoints --put FILE for the same stage$/m,
    ],
  ])('is asked for of %s', async (provider, message) => {
    const open = await aStage('runway', {}, undefined);
    const ran = await genway(['admin', 'try-provider', provider, '--spend', '9'], {}, { open });
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(message) });
  });
});
