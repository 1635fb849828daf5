import * as v from 'valibot';
import { newId } from '../../functions/ids.ts';
import { formatUsd, times } from '../../functions/money/micros.ts';
import { ProviderKeyStore } from '../../functions/provider-keys/provider-key-store.ts';
import { ProviderSecrets } from '../../functions/provider-keys/provider-secrets.ts';
import type { Catalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { frameFormat, sizeName } from '../../functions/videos/catalogue/frame-size.ts';
import { durationsOf, modelOf, type Offer } from '../../functions/videos/catalogue/offer.ts';
import { priceOf } from '../../functions/videos/catalogue/price.ts';
import type { RequestedVideo } from '../../functions/videos/catalogue/requested-video.ts';
import { withChanges } from '../../functions/videos/catalogue/stage-catalogue.ts';
import { ProviderError } from '../../functions/videos/providers/provider.ts';
import {
  adapterOf,
  type ProvidersSettings,
  providersVariable,
  takesKeys,
} from '../../functions/videos/providers/provider-settings.ts';
import { providerOf } from '../../functions/videos/providers/registry.ts';
import { ProviderContexts } from '../../functions/videos/worker/provider-contexts.ts';
import { providerJob } from '../../functions/videos/worker/submit-job.ts';
import { DEFAULT_WORKSPACE_ID } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { ApiUnavailable } from '../cli/api.ts';
import { CommandFailed, Differs, NoVideo } from '../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from './admin.ts';
import { amount } from './keys-and-credits.ts';
import { openOffers } from './offers.ts';
import { type Asked, type TrialPorts, TrialReport, tryCancel, tryVideo } from './provider-trial.ts';

export const tryProviderCommand = (admin: Admin) =>
  adminCommand(
    'try-provider',
    `Generates a provider’s cheapest video, which costs real money, and compares it with the catalogue.
It checks the video, the download and the charge. If the provider can cancel jobs, the command then submits a second job and cancels it.
It calls the provider from this machine, with a stored key of a workspace if the provider needs one, and leaves nothing in
the stage. You can paste the output into a bug report: it contains no keys. It contains a URL only if an error of
the provider does, and then without the query string. Exit codes: 0 if everything matches the catalogue, 1 if no request was sent or the provider
rejected the key, 3 if the provider was unavailable, 4 if it refused a request or delivered no video, 5 if something
differs.`,
    [
      'try-provider kling --spend 1.00 --stage prod',
      'try-provider fal --endpoint fal/veo-3.1 --workspace studio --spend 2 --stage prod',
    ],
  )
    .argument('<provider>', 'name of the provider in the stage')
    .requiredOption('--spend <usd>', 'maximum estimated cost of the jobs, in USD', amount)
    .option('--endpoint <id>', 'endpoint to try (default: the one with the cheapest video)')
    .option('--workspace <slug>', 'workspace whose provider key is used (default: the default workspace)')
    .action(async (provider, { stage, spend: most, endpoint, workspace }) => {
      const deployment = await admin.open(stage);
      const { base, store } = openOffers(admin.modelsOf(stage), deployment);
      const catalogue = withChanges(base, await store.read());
      const providers = v.parse(providersVariable, deployment.output('VideoProviders'));
      const asked = cheapest(offersToTry(provider, endpoint, catalogue, providers), admin.now());
      const ports = await trialPorts(asked, workspace, catalogue, providers, deployment, admin);
      const price = priceOf(asked.video, asked.offer);
      const jobs = ports.provider.manners.cancel === undefined ? 1 : 2;
      const estimate = times(price, jobs);
      if (estimate > most) {
        const what = `${jobs === 1 ? 'One job' : 'Two jobs'} on ${asked.offer.id} may cost ${formatUsd(estimate)}`;
        throw new CommandFailed(
          `${what}, but --spend allows ${formatUsd(most)}; no request was sent to ${provider}`,
        );
      }
      await run(asked, `${jobs} × ${formatUsd(price)}`, ports, admin);
    });

/** @throws CommandFailed that says which there are */
function offersToTry(
  provider: string,
  endpoint: string | undefined,
  { offers }: Catalogue,
  providers: ProvidersSettings,
): readonly Offer[] {
  if (providers[provider] === undefined) {
    const known = Object.keys(providers).join(', ');
    throw new CommandFailed(`The stage has no provider ${provider}; its providers are: ${known || 'none'}`);
  }
  if (!takesKeys(adapterOf(provider, providers))) {
    throw new CommandFailed(
      `Only the stage itself can call ${provider}; to try the provider, create a video with one of its models on that stage`,
    );
  }
  const its = offers.filter((offer) => offer.provider === provider);
  const chosen = its.filter(({ id }) => endpoint === undefined || id === endpoint);
  if (chosen.length > 0) return chosen;
  const ids = its.map(({ id }) => id).join(', ');
  const missing = endpoint === undefined ? 'endpoint' : `endpoint ${endpoint}`;
  const known =
    ids === ''
      ? 'to add one, run npx genway admin endpoints --put FILE for the same stage'
      : `its endpoints are: ${ids}`;
  throw new CommandFailed(`${provider} has no ${missing}; ${known}`);
}

const PROMPT = 'A paper boat on a calm lake';

/** @throws CommandFailed if none is offered any more, or none makes a video from a prompt alone */
function cheapest(offers: readonly Offer[], now: Date): Asked {
  const today = now.toISOString().slice(0, 10);
  const running = offers.filter(({ eol_at }) => eol_at === undefined || eol_at > today);
  if (running.length === 0)
    throw new CommandFailed(
      `Vendors have retired the models of these endpoints: ${offers.map(({ id }) => id).join(', ')}. Try another endpoint or provider`,
    );
  const [first] = running
    .filter(({ needs_first_frame, needs_source }) => needs_first_frame !== true && needs_source !== true)
    .flatMap((offer) => videosOf(offer).map((video) => ({ offer, video, price: priceOf(video, offer) })))
    .toSorted((one, other) => one.price - other.price);
  if (first !== undefined) return first;
  throw new CommandFailed(
    `A trial sends only a prompt, but these endpoints require an image or a video: ${running.map(({ id }) => id).join(', ')}. Try another endpoint or provider`,
  );
}

/** From the prompt alone, in every size and length. */
const videosOf = (offer: Offer): RequestedVideo[] =>
  offer.resolutions.flatMap((resolution) => {
    const { width, height } = frameFormat(resolution, offer.default_aspect_ratio);
    return durationsOf(offer, resolution).map((duration_seconds) => ({
      prompt: PROMPT,
      width,
      height,
      duration_seconds,
      generate_audio: offer.audio === 'always',
      frame_images: [],
      input_references: [],
      options: {},
    }));
  });

const EXCHANGE_MILLISECONDS = 30_000;
const DOWNLOAD_MILLISECONDS = 10 * 60_000;

async function trialPorts(
  { offer, video }: Asked,
  workspace: string | undefined,
  catalogue: Catalogue,
  providers: ProvidersSettings,
  deployment: Deployment,
  { now, pause, tell }: Admin,
): Promise<TrialPorts> {
  const secrets = new ProviderSecrets({
    store: new ProviderKeyStore(deployment.client, deployment.output('ProviderKeysTable')),
    kms: deployment.kms,
    kmsKeyId: deployment.output('ProviderKeysKey'),
    now,
  });
  const job = {
    workspace_id: await workspaceId(workspace, deployment),
    model: modelOf(offer),
    endpoint: offer.id,
    // A key that is kept for certain API keys is for none of these.
    key_hash: '',
    is_byok: workspace !== undefined,
  };
  const within = (milliseconds: number) => {
    const keyOf = secrets.find.bind(secrets);
    const common = { catalogue: async () => catalogue, providers, allowedHosts: new Set<string>(), now };
    const contexts = new ProviderContexts({ ...common, keyOf, milliseconds });
    return () => contexts.of(offer.provider, job);
  };
  return {
    provider: providerOf(adapterOf(offer.provider, providers)),
    context: within(EXCHANGE_MILLISECONDS),
    downloadContext: within(DOWNLOAD_MILLISECONDS),
    job: () => providerJob({ id: newId.video(now()) }, video, offer),
    now,
    pause,
    tell,
  };
}

async function workspaceId(slug: string | undefined, { client, output }: Deployment): Promise<string> {
  if (slug === undefined) return DEFAULT_WORKSPACE_ID;
  const found = await new WorkspaceStore(client, output('WorkspacesTable')).findBySlug(slug);
  if (found === undefined) throw new CommandFailed(`There is no workspace ${slug}`);
  return found.id;
}

/** Prints the report whatever happens, because what was seen until then helps too. */
async function run(asked: Asked, price: string, ports: TrialPorts, { print, now }: Admin): Promise<void> {
  const report = new TrialReport();
  const { offer, video } = asked;
  const sound = video.generate_audio ? 'with sound' : 'silent';
  report.saw('asked', `${video.duration_seconds} s, ${sizeName(video)}, ${sound}, at ${price}`);
  let isMade = false;
  let error: unknown;
  try {
    isMade = await tryVideo(asked, ports, report);
    if (isMade) await tryCancel(asked, ports, report);
  } catch (caught) {
    error = caught;
    if (caught instanceof ProviderError) report.saw('error', `${caught.kind}: ${caught.message}`);
  }
  print(`${offer.provider} by ${ports.provider.name}, ${offer.id}, ${now().toISOString().slice(0, 16)}`);
  for (const [topic, what] of report.seen) print(`  ${topic.padEnd(8)}  ${what}`);
  const differences = report.differences.length === 0 ? ['nothing'] : report.differences;
  for (const difference of differences) print(`  differs   ${difference}`);
  throwIfWrong(asked, { isMade, error, differences: report.differences });
}

interface Outcome {
  readonly isMade: boolean;
  readonly error: unknown;
  readonly differences: readonly string[];
}

function throwIfWrong({ offer }: Asked, { isMade, error, differences }: Outcome): void {
  if (error instanceof ProviderError) throw failureOf(error);
  if (error !== undefined) throw error;
  if (!isMade) throw new NoVideo(`${offer.id} did not deliver a video`);
  if (differences.length > 0) throw new Differs(`The trial of ${offer.id} found differences`);
}

function failureOf({ kind, message }: ProviderError): CommandFailed {
  if (kind === 'credential') return new CommandFailed(message);
  if (kind === 'refused' || kind === 'moderated') return new NoVideo(message);
  const billed = kind === 'ambiguous' ? '; the provider may have started the job, and may charge for it' : '';
  return new ApiUnavailable(`${message}${billed}`);
}
