import type { Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { pause, withChanges } from '../../../functions/videos/catalogue/stage-catalogue.ts';
import { CommandFailed } from '../../cli/cli.ts';
import { type Admin, adminCommand } from '../command.ts';
import { openEndpoints } from '../open-endpoints.ts';

export const drainCommand = (admin: Admin) =>
  adminCommand(
    'drain',
    `Pauses every endpoint of a provider: it gets no new jobs, and its current jobs continue. If other providers
have a model too, they get its jobs; otherwise submits are refused. Every function knows within the stage's
endpointCacheSeconds, 30 by default.`,
    ['incident drain fal --stage prod'],
  )
    .argument('<provider>', 'the name that the stage uses')
    .action((provider, { stage }) => turn(provider, stage, true, admin));

export const undrainCommand = (admin: Admin) =>
  adminCommand('undrain', 'Sends new jobs to every endpoint of a provider again.', [
    'incident undrain fal --stage prod',
  ])
    .argument('<provider>', 'the name that the stage uses')
    .action((provider, { stage }) => turn(provider, stage, false, admin));

async function turn(provider: string, stage: string, isPaused: boolean, admin: Admin): Promise<void> {
  const { base, store } = openEndpoints(stage, await admin.open(stage));
  const catalogue = withChanges(base, await store.read());
  const action = isPaused ? 'pause' : 'resume';
  for (const id of endpointsOf(provider, catalogue, stage)) {
    if (catalogue.isPaused(id) === isPaused) continue;
    const note = { action, endpoint: id, by: 'admin command' } as const;
    await store.change((changes) => pause(changes, id, isPaused), note, admin.now());
    admin.print(`${id}: ${action}d`);
  }
}

/** @throws CommandFailed if the provider has no endpoints; it names those that have some */
function endpointsOf(provider: string, { endpoints }: Catalogue, stage: string): string[] {
  const found = endpoints.filter((endpoint) => endpoint.provider === provider);
  if (found.length > 0) return found.map(({ id }) => id);
  const known = [...new Set(endpoints.map((endpoint) => endpoint.provider))];
  throw new CommandFailed(
    `${provider} has no endpoints in config/stages/${stage}.json of this checkout; these providers have some: ${known.join(', ')}`,
  );
}
