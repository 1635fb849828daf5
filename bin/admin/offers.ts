import { readFileSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { formatUsd } from '../../functions/money/micros.ts';
import { allOffers, Catalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { mergeModels, modelOf, type Offer } from '../../functions/videos/catalogue/offer.ts';
import { type ChangeNote, OfferStore } from '../../functions/videos/catalogue/offer-store.ts';
import {
  type OfferChanges,
  pause,
  put,
  remove,
  restore,
  withChanges,
} from '../../functions/videos/catalogue/stage-catalogue.ts';
import { checkOffer } from '../../functions/videos/providers/dialects.ts';
import { providersVariable } from '../../functions/videos/providers/provider-settings.ts';
import { visible } from '../../local/terminal/text.ts';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from './admin.ts';

type Action = 'put' | 'pause' | 'resume' | 'remove' | 'restore';

/** An app's stack does not say which endpoints its settings add. */
const LEFT_OUT =
  'With the admin option --stack but without --config, this command ignores the endpoints in the settings (videos.models).';

export const endpointsCommand = (admin: Admin) =>
  adminCommand(
    'endpoints',
    `Lists the endpoints of the catalogue, each with its ID, model, state and base price per second; some resolutions have
other prices. Removed endpoints have only an ID and a state. With one of the options, changes an endpoint. Changes take effect within 30 seconds, unless the stage sets another time (endpointCacheSeconds). To change a price, replace the endpoint with --put;
a paused endpoint stays paused.
${LEFT_OUT}`,
    ['endpoints --stage prod', 'endpoints --pause fal/veo-3.1 --stage prod'],
  )
    .addOption(
      change(
        'put',
        'file',
        'add the endpoint that this JSON file describes, or replace the one with the same ID',
      ),
    )
    .addOption(change('pause', 'id', 'stop sending new jobs to the endpoint'))
    .addOption(change('resume', 'id', 'send new jobs to the endpoint again'))
    .addOption(change('remove', 'id', 'remove the endpoint; jobs that its provider has accepted continue'))
    .addOption(
      change(
        'restore',
        'id',
        'undo all changes to the endpoint, including a pause; an endpoint that --put or the API added is removed',
      ),
    )
    .action(async ({ stage, ...asked }) => {
      const deployment = await admin.open(stage);
      const { base, store } = openOffers(admin.modelsOf(stage), deployment);
      const action = ACTIONS.find((each) => asked[each] !== undefined);
      const value = action && asked[action];
      if (action === undefined || value === undefined) return list(base, await store.read(), admin);
      const { id, edit } = planOf(action, value, base, deployment);
      await store.change(edit, { action, offer: id, by: 'admin command' }, admin.now());
      admin.print(`${id}: ${DONE[action]}`);
    });

const ACTIONS: readonly Action[] = ['put', 'pause', 'resume', 'remove', 'restore'];

/** Only one change at a time. */
const change = <const Name extends Action>(name: Name, value: string, description: string) =>
  new Option<`--${Name} <value>`>(`--${name} <${value}>` as `--${Name} <value>`, description).conflicts(
    ACTIONS.filter((each) => each !== name),
  );

const DONE: Readonly<Record<ChangeNote['action'], string>> = {
  put: 'stored',
  pause: 'paused',
  resume: 'resumed',
  remove: 'removed',
  restore: 'restored',
};

function planOf(action: Action, value: string, base: Catalogue, deployment: Deployment) {
  if (action === 'put') {
    const offer = readRow(value, deployment);
    const edit = (changes: OfferChanges) => put(changes, offer, changes.paused.includes(offer.id));
    return { id: offer.id, edit };
  }
  const edit = (changes: OfferChanges): OfferChanges => {
    const { offers } = withChanges(base, changes);
    // An app’s stack may have endpoints that are not known here.
    const others = action === 'restore' ? [...changes.removed, ...changes.paused] : [];
    if (![...offers.map(({ id }) => id), ...others].includes(value)) {
      throw new CommandFailed(
        `No endpoint ${value} was found; to list the endpoints, run npx genway admin endpoints for the same stage`,
      );
    }
    if (action === 'restore') return restore(changes, value);
    return action === 'remove' ? remove(changes, value) : pause(changes, value, action === 'pause');
  };
  return { id: value, edit };
}

/** Valibot puts what the parser says in quotes. */
const jsonSchema = v.pipe(
  v.string(),
  v.parseJson(undefined, ({ received }) => received.slice(1, -1)),
);

function readRow(file: string, { output }: Deployment): Offer {
  const providers = v.parse(providersVariable, output('VideoProviders'));
  const row = v.safeParse(jsonSchema, readFileSync(file, 'utf8'));
  if (!row.success) throw new CommandFailed(visible(`${file} must contain JSON: ${row.issues[0].message}`));
  return checkOffer(row.output, providers);
}

function priceOf({ audio, price_per_second: { silent, with_audio } }: Offer): string {
  const prices = { never: [silent, 'silent'], always: [with_audio, 'with sound'] } as const;
  const shown = audio === 'toggle' ? Object.values(prices) : [prices[audio]];
  return shown.map(([price, what]) => `${formatUsd(price)} ${what}`).join(', ');
}

function list(base: Catalogue, changes: OfferChanges, admin: Admin): void {
  const catalogue = withChanges(base, changes);
  for (const offer of catalogue.offers) {
    const isChanged = changes.rows.some(({ id }) => id === offer.id);
    const state = catalogue.isPaused(offer.id) ? 'paused' : isChanged ? 'changed' : 'default';
    const columns = [offer.id.padEnd(30), modelOf(offer).padEnd(26), state.padEnd(8), priceOf(offer)];
    admin.print(columns.join('  '));
  }
  for (const id of changes.removed) admin.print([id.padEnd(30), '-'.padEnd(26), 'removed'].join('  '));
}

export const drainCommand = (admin: Admin) =>
  adminCommand(
    'drain',
    `Pauses all endpoints of a provider. Jobs that Genway has accepted still go to the provider. New jobs go to other providers
that can serve them. Genway refuses the rest. Changes take effect within 30 seconds, unless the stage sets another time
(endpointCacheSeconds).
${LEFT_OUT}`,
    ['incident drain fal --stage prod'],
  )
    .argument('<provider>', 'name of the provider in the stage')
    .action((provider, { stage }) => turn(provider, stage, true, admin));

export const undrainCommand = (admin: Admin) =>
  adminCommand(
    'undrain',
    `Resumes all endpoints of a provider, including those that were paused one by one. Changes take effect within 30 seconds,
unless the stage sets another time (endpointCacheSeconds). ${LEFT_OUT}`,
    ['incident undrain fal --stage prod'],
  )
    .argument('<provider>', 'name of the provider in the stage')
    .action((provider, { stage }) => turn(provider, stage, false, admin));

async function turn(provider: string, stage: string, isPaused: boolean, admin: Admin): Promise<void> {
  const { base, store } = openOffers(admin.modelsOf(stage), await admin.open(stage));
  const catalogue = withChanges(base, await store.read());
  const action = isPaused ? 'pause' : 'resume';
  for (const id of offersOf(provider, catalogue)) {
    if (catalogue.isPaused(id) === isPaused) continue;
    const note = { action, offer: id, by: 'admin command' } as const;
    await store.change((changes) => pause(changes, id, isPaused), note, admin.now());
    admin.print(`${id}: ${action}d`);
  }
}

/** @throws CommandFailed if the provider has no offers; it names those that have some */
function offersOf(provider: string, { offers }: Catalogue): string[] {
  const found = offers.filter((offer) => offer.provider === provider);
  if (found.length > 0) return found.map(({ id }) => id);
  const known = [...new Set(offers.map((offer) => offer.provider))];
  throw new CommandFailed(
    `No endpoints of ${provider} were found; providers with endpoints: ${known.join(', ')}`,
  );
}

/** A stage's offers: those of this version and of its settings, and the store with the differences of the running stage. */
export const openOffers = (models: readonly Offer[], { client, output }: Deployment) => ({
  base: new Catalogue(mergeModels(allOffers(), models)),
  store: new OfferStore(client, output('EndpointsTable')),
});
