/**
 * Takes a stage through its life on an emulator, with the commands of docs/deploy.md: `npm run drills`. It begins with
 * the last release; `GENWAY_DRILLS_FROM=<commit> npm run drills` begins with another version.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { DemoApi } from '../../local/demo/demo-api.ts';
import { STACK } from '../../local/deployment/deploy.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { textProgress } from '../../local/terminal/progress.ts';
import { runDeployedCanary, WITH_CANARY } from './deployed-canary.ts';
import { DrilledStage, DrillFailed } from './drilled-stage.ts';
import { holdings, undeleted } from './left-over.ts';
import { keepOldWorker, type OldWorker } from './old-worker.ts';
import { restoreJobs } from './restored-table.ts';
import { lasting, proveData, type SeededData, seedData, submit, untilCompleted } from './seeded-data.ts';

/** Settings like those of `prod`, limited to the ones that the old version knows. */
const BEFORE = { data: 'retain', account: '000000000000', region: 'us-east-1', objectVersionDays: 7 };
const KEPT = { ...BEFORE, ...WITH_CANARY };
const IN_FLIGHT = 6;

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit of the last release. Every release writes `docs/openapi.released.yaml`. */
const lastRelease = (): string => git('log', '-1', '--format=%H', '--', 'docs/openapi.released.yaml');

interface OldVersion {
  readonly checkout: string;
  /** Installs its own packages. */
  install(): Promise<void>;
}

/** Checks out another version, in a repository of its own. */
function checkOut(reference: string, folder: string): OldVersion {
  git('clone', '--quiet', '--shared', '--no-checkout', CHECKOUT, folder);
  git('-C', folder, 'checkout', '--quiet', '--detach', reference);
  return {
    checkout: folder,
    install: async () => {
      const { code, output } = await runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
      if (code !== 0) throw new DrillFailed(`The packages of ${reference} cannot be installed:\n${output}`);
    },
  };
}

const from = process.env.GENWAY_DRILLS_FROM ?? lastRelease();
const progress = textProgress(process.stdout, () => performance.now());

jest.setTimeout(3_600_000);

test('a stage keeps its data through updates, losses and deletions', async () => {
  await using stage = await progress.step('Starting an emulator', () => DrilledStage.start());
  const old = checkOut(from, join(stage.state.root, 'old'));
  await stage.bootstrap();
  await progress.step(`Installing the packages of ${from.slice(0, 12)}`, old.install);
  await progress.step(`Deploying version ${from.slice(0, 12)}`, () => stage.deploy(BEFORE, old.checkout));
  const managementKey = await stage.managementKey(old.checkout);
  const seeded = await progress.step('Adding data', () => seedData(stage.baseUrl, managementKey));
  const jobs = await progress.step('Updating the stage while old and new workers process jobs', () =>
    update(stage, old, seeded),
  );
  await progress.step('Running the canary', () => runDeployedCanary(stage));
  await progress.step('Restoring two jobs', () => restoreJobs(stage, jobs));
  await progress.step('Deleting the stage, which keeps its data', () => deleteKept(stage));
  await progress.step('Deploying again and adopting the data', () => adopt(stage, seeded));
  await progress.step('Deleting the stage and its data', () => deleteAll(stage));
});

/** @returns the ids of jobs that have ended */
async function update(stage: DrilledStage, old: OldVersion, seeded: SeededData): Promise<string[]> {
  const worker = await keepOldWorker(stage, old.checkout);
  // The update may change the address.
  const api = () => new DemoApi(stage.baseUrl, seeded.key);
  const submitAll = (seconds: number) =>
    Promise.all(Array.from({ length: IN_FLIGHT }, () => submit(api(), lasting(seconds))));
  const before = await submitAll(60);
  for (let tries = 1; !hasWorked(stage, worker.logs); tries++) {
    if (tries === 120) throw new DrillFailed(`${worker.logs} contains no call`);
    await wait(500);
  }
  await worker.join();
  await stage.deploy(KEPT);
  expect(await stage.genway('doctor').catch(String)).toMatch(/leftovers +none of an earlier deployment/);
  const jobs = [...before, ...(await submitAll(5))];
  await Promise.all(jobs.map((id) => untilCompleted(api(), id)));
  proveWork(stage, worker);
  await worker.remove();
  await proveData(stage.baseUrl, seeded);
  return jobs;
}

/** Checks that the old and the new worker both took part in these jobs. */
function proveWork(stage: DrilledStage, { logs, replacement }: OldWorker): void {
  for (const logGroup of [logs, replacement])
    expect([logGroup, hasWorked(stage, logGroup)]).toEqual([logGroup, true]);
}

function hasWorked({ logged }: DrilledStage, worker: string): boolean {
  return logged.some(({ logGroup, text }) => logGroup === worker && text.startsWith('REPORT '));
}

async function deleteKept(stage: DrilledStage): Promise<void> {
  await stage.destroy(KEPT);
  expect(Object.keys(await holdings(stage.aws)).toSorted()).toEqual(['buckets', 'keys', 'tables']);
}

async function adopt(stage: DrilledStage, seeded: SeededData): Promise<void> {
  const held = await holdings(stage.aws);
  const mapping = join(stage.state.root, 'adopt.json');
  await stage.genway('adopt', '--out', mapping);
  await stage.cdk(['import', STACK, '--resource-mapping', mapping], KEPT);
  await stage.deploy(KEPT);
  const { tables, buckets, keys } = await holdings(stage.aws);
  expect({ tables, buckets, keys }).toEqual(held);
  await proveData(stage.baseUrl, seeded);
}

/** The buckets contain files and old versions of files, and the deletion must empty them. */
async function deleteAll(stage: DrilledStage): Promise<void> {
  const goes = { ...KEPT, data: 'destroy' };
  await stage.deploy(goes);
  await stage.cdk(['destroy', STACK, '--force'], goes);
  expect(await holdings(stage.aws)).toEqual({});
  expect(await undeleted(stage.aws, STACK)).toEqual([]);
}
