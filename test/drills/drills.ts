/**
 * Plays what happens to a stage in its life, on an emulator, by the commands that docs/deploy.md names:
 * `npm run drills`, or `npm run drills -- --from <commit>` to begin with another version than the last release.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { Command } from '@commander-js/extra-typings';
import { STACK } from '../../local/deployment/deploy.ts';
import { textProgress } from '../../local/terminal/progress.ts';
import { runDeployedCanary, WITH_CANARY } from './deployed-canary.ts';
import { DrilledStage } from './drilled-stage.ts';
import { holdings, undeleted } from './left-over.ts';
import { checkOut, lastRelease } from './old-version.ts';
import { keepOldWorker, type OldWorker } from './old-worker.ts';
import { restoreJobs } from './restored-table.ts';
import { Caller, lasting, proveData, type SeededData, seedData } from './seeded-data.ts';

/** As a stage like `prod` has them, in words that the version before knows too. */
const BEFORE = { data: 'retain', account: '000000000000', region: 'us-east-1', objectVersionDays: 7 };
const KEPT = { ...BEFORE, ...WITH_CANARY };
const IN_FLIGHT = 6;

const { from } = new Command('npm run drills --')
  .description('Plays the life of a stage on the emulator: deploy, update, restore, adopt, destroy.')
  .option('--from <commit>', 'the version that is updated', lastRelease())
  .parse()
  .opts();
const progress = textProgress(process.stdout, () => performance.now());
const root = await mkdtemp(join(tmpdir(), 'genway-drills-'));
const old = checkOut(from, join(root, 'old'));
process.once('SIGINT', () => {
  old.remove();
  rmSync(root, { recursive: true, force: true });
  process.exit(130);
});
try {
  const stage = await progress.step('An account', () => DrilledStage.start(join(root, 'state')));
  await play(stage).finally(() => stage.stop());
  process.stdout.write('All drills went well\n');
} finally {
  old.remove();
  await rm(root, { recursive: true });
}

async function play(stage: DrilledStage): Promise<void> {
  await progress.step(`A stage of ${from.slice(0, 12)}`, () => stage.deploy(BEFORE, old.checkout));
  const managementKey = await stage.managementKey(old.checkout);
  const seeded = await progress.step('Data', () => seedData(stage.baseUrl, managementKey));
  const jobs = await progress.step(
    'An update with data, and with jobs in flight for old and new workers',
    () => update(stage, seeded),
  );
  await progress.step('Its canary', () => runDeployedCanary(stage));
  await progress.step('Two jobs restored', () => restoreJobs(stage, jobs));
  await progress.step('Its deletion, which leaves the data', () => deleteKept(stage));
  await progress.step('A new deployment that adopts it', () => adopt(stage, seeded));
  await progress.step('Its deletion with all that it holds', () => deleteAll(stage));
}

/** @returns jobs that have ended */
async function update(stage: DrilledStage, seeded: SeededData): Promise<string[]> {
  const caller = new Caller(stage.baseUrl, seeded.key);
  const worker = await keepOldWorker(stage, old.checkout);
  const submitAll = (seconds: number) =>
    Promise.all(Array.from({ length: IN_FLIGHT }, () => caller.submit(lasting(seconds))));
  const before = await submitAll(60);
  await stage.deploy(KEPT);
  // The address may be another one.
  const after = new Caller(stage.baseUrl, seeded.key);
  const jobs = [...before, ...(await submitAll(5))];
  await Promise.all(jobs.map((id) => after.completed(id)));
  proveWork(stage, worker);
  await worker.remove();
  await proveData(stage.baseUrl, seeded);
  return jobs;
}

/** Both have worked on these jobs. */
function proveWork(stage: DrilledStage, { logs, replacement }: OldWorker): void {
  const called = stage.logged
    .filter(({ text }) => text.startsWith('REPORT '))
    .map(({ logGroup }) => logGroup);
  for (const logGroup of [logs, replacement])
    assert.ok(called.includes(logGroup), `${logGroup} tells of no call`);
}

async function deleteKept(stage: DrilledStage): Promise<void> {
  const client = new CloudFormationClient(stage.aws);
  await client.send(
    new UpdateTerminationProtectionCommand({ StackName: STACK, EnableTerminationProtection: false }),
  );
  await stage.cdk(['destroy', STACK, '--force'], KEPT);
  assert.deepEqual(Object.keys(await holdings(stage.aws)).toSorted(), ['buckets', 'keys', 'tables']);
}

async function adopt(stage: DrilledStage, seeded: SeededData): Promise<void> {
  const held = await holdings(stage.aws);
  const mapping = join(root, 'adopt.json');
  await stage.genway('adopt', '--out', mapping);
  await stage.cdk(['import', STACK, '--resource-mapping', mapping], KEPT);
  await stage.deploy(KEPT);
  const { tables, buckets, keys } = await holdings(stage.aws);
  assert.deepEqual({ tables, buckets, keys }, held);
  await proveData(stage.baseUrl, seeded);
}

/** Its buckets are full, also of versions. */
async function deleteAll(stage: DrilledStage): Promise<void> {
  const goes = { ...KEPT, data: 'destroy' };
  await stage.deploy(goes);
  await stage.cdk(['destroy', STACK, '--force'], goes);
  assert.deepEqual(await holdings(stage.aws), {});
  assert.deepEqual(await undeleted(stage.aws, STACK), []);
}
