import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { bundledCatalogue, Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { type ChangeNote, OfferStore } from '../../../functions/videos/catalogue/offer-store.ts';
import {
  changesSchema,
  pause,
  put,
  remove,
  restore,
  stageCatalogue,
  withChanges,
} from '../../../functions/videos/catalogue/stage-catalogue.ts';
import { checkOffer } from '../../../functions/videos/providers/dialects.ts';
import { offeredModels } from '../../../functions/videos/routing/narrow.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { anOffer, NOW, priced } from '../routing/an-offer.ts';

const base = new Catalogue([anOffer('one'), anOffer('two')]);
const note = (action: ChangeNote['action'], offer: string): ChangeNote => ({
  action,
  offer,
  by: 'hash',
});

let world: AwsWorld;
let store: OfferStore;
let table: string;
beforeEach(() => {
  world = new AwsWorld({ start: NOW });
  table = new DeployedStage(world).name('Routing-Endpoints');
  store = new OfferStore(world.startProcess().dynamo, table);
});

const ids = ({ offers }: Catalogue) => offers.map(({ id }) => id);
const now = async () => withChanges(base, await store.read());
const change = (action: ChangeNote['action'], id: string, edit: Parameters<OfferStore['change']>[0]) =>
  store.change(edit, note(action, id), world.clock.now());

describe('the offers of a running stage', () => {
  test('are those of its file until somebody changes them', async () => {
    expect(ids(await now())).toEqual(['one/fox', 'two/fox']);
  });

  test('can be added, priced, paused, removed and restored', async () => {
    const three = anOffer('three');
    await change('put', three.id, (changes) => put(changes, three, false));
    expect((await now()).model('acme/fox')?.offers.map(({ id }) => id)).toEqual([
      'one/fox',
      'two/fox',
      'three/fox',
    ]);

    const dearer = anOffer('one', priced(99));
    await change('put', dearer.id, (changes) => put(changes, dearer, false));
    expect((await now()).offer('one/fox')).toEqual(dearer);
    expect(ids(await now())[0]).toBe('one/fox');

    await change('pause', 'two/fox', (changes) => pause(changes, 'two/fox', true));
    const providers = { one: {}, two: {}, three: {} };
    const configured = Object.fromEntries(
      Object.keys(providers).map((name) => [name, { credential: 'none' as const }]),
    );
    const offered = async () =>
      offeredModels(await now(), configured, NOW).flatMap(({ offers }) => offers.map(({ id }) => id));
    expect(await offered()).toEqual(['one/fox', 'three/fox']);
    await change('resume', 'two/fox', (changes) => pause(changes, 'two/fox', false));
    expect(await offered()).toHaveLength(3);

    await change('remove', 'one/fox', (changes) => remove(changes, 'one/fox'));
    expect(ids(await now())).toEqual(['two/fox', 'three/fox']);
    await change('restore', 'one/fox', (changes) => restore(changes, 'one/fox'));
    expect((await now()).offer('one/fox')).toEqual(anOffer('one'));
  });

  test('keep both of two simultaneous changes, and who made them', async () => {
    const names = ['a', 'b', 'c'];
    await Promise.all(
      names.map((name) => change('put', `${name}/fox`, (changes) => put(changes, anOffer(name), false))),
    );
    expect(ids(await now()).toSorted()).toEqual(['a/fox', 'b/fox', 'c/fox', 'one/fox', 'two/fox']);
    const { Items = [] } = await world.startProcess().dynamo.send(new ScanCommand({ TableName: table }));
    const notes = Items.filter(({ id }) => id !== 'current');
    expect(notes.map(({ action, by, endpoint }) => [action, by, endpoint]).toSorted()).toEqual(
      names.map((name) => ['put', 'hash', `${name}/fox`]),
    );
  });

  test('are refused if their row has no room, and stay unchanged', async () => {
    const long = anOffer('long', { description: 'x'.repeat(260_000) });
    const many = anOffer('many', { durations: Array(130_000).fill(1), default_duration: 1 });
    for (const each of [long, many]) {
      await expect(change('put', each.id, (changes) => put(changes, each, false))).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/at most 250000 bytes/),
      });
    }
    const full = anOffer('full', { durations: Array(120_000).fill(1), default_duration: 1 });
    await change('put', full.id, (changes) => put(changes, full, false));
    expect(ids(await now())).toEqual(['one/fox', 'two/fox', 'full/fox']);
  });

  test.each([2, 30])('are seen by all within the %i seconds that a stage sets', async (cacheSeconds) => {
    const look = stageCatalogue(base, { store, cacheSeconds, now: world.clock.now });
    expect(ids(await look())).toHaveLength(2);
    await change('remove', 'one/fox', (changes) => remove(changes, 'one/fox'));
    await world.clock.wait((cacheSeconds - 1) * 1000);
    expect(ids(await look())).toHaveLength(2);
    await world.clock.wait(1000);
    expect(ids(await look())).toEqual(['two/fox']);
  });
});

test('an old row that names an address in place of a model is not offered', () => {
  const { rows } = v.parse(changesSchema, {
    rows: [
      { ...anOffer('one'), upstream: 'https://evil.example/x' },
      { ...anOffer('one'), dialect: { first_frame_model: '//evil.example/x' } },
    ],
    removed: [],
    paused: [],
  });
  expect(rows).toEqual([]);
});

describe('a row for a running stage', () => {
  const providers = { sandbox: { credential: 'none' as const }, bedrock: { credential: 'none' as const } };
  const row = bundledCatalogue.offer('sandbox/clip-1')!;
  const { continuations: _, ...plain } = row;

  test('is read like those of the file', () => {
    expect(checkOffer(structuredClone(row), providers)).toEqual(row);
  });

  test.each([
    ['a default that it does not support', { ...row, default_duration: 99 }, /must support its default_/],
    ['a field that is unknown', { ...row, prise: 1 }, /^prise: /],
    ['an incomplete price', { ...row, price_per_second: { silent: 1 } }, /^price_per_second\.with_audio: /],
    [
      'a price of more than a thousand dollars a second',
      { ...row, price_per_second: { silent: 1, with_audio: 1_000_000_001 } },
      /^price_per_second\.with_audio: must be at most 1000000000/,
    ],
    [
      'a provider that is not configured',
      { ...row, provider: 'fal' },
      /^provider: fal is not configured .*: sandbox, bedrock/,
    ],
    [
      'a foreign dialect',
      { ...row, dialect: { duration: 'text' } },
      /^provider: the endpoint has a dialect that the adapter of sandbox/,
    ],
    ...['https://evil.example/x', '//evil.example/x', 'http:/evil.example', 'a/../b', 'a?fal_webhook=b'].map(
      (upstream) =>
        [
          `${upstream} as its provider’s name`,
          { ...row, upstream },
          /^upstream: must be .* such as/,
        ] as const,
    ),
    [
      'an address as a model in its dialect',
      { ...row, dialect: { first_frame_model: 'https://evil.example/x' } },
      /^dialect\.first_frame_model: must be .* such as fal-ai/,
    ],
    [
      'a model that needs a permission',
      { ...plain, provider: 'bedrock' },
      /^provider: .* and deploy the stage$/,
    ],
    [
      'continuations that its provider does not make',
      { ...row, provider: 'bedrock' },
      /^provider: the endpoint has the continuation extend, but the adapter of bedrock cannot extend videos/,
    ],
  ])('is refused with %s', (_, wrong, message) => {
    expect(() => checkOffer(wrong, providers)).toThrow(message);
  });

  test('is refused by a stage without providers, which says so', () => {
    expect(() => checkOffer(row, {})).toThrow(/configured: none$/);
  });
});
