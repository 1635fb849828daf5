/**
 * Takes a stage through its life on an emulator, with the commands of docs/deploy.md: `npm run drills`. It begins with
 * the last release; `GENWAY_DRILLS_FROM=<commit> npm run drills` begins with another version.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  RestoreTableToPointInTimeCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { fileOf } from '../../lib/stage/config.ts';
import { DemoApi } from '../../local/demo/demo-api.ts';
import { openReceiver, verifyDelivery } from '../../local/demo/receiver.ts';
import { STACK, STAGE } from '../../local/deployment/deploy.ts';
import type { AwsAccess } from '../../local/emulator/aws-access.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { textProgress } from '../../local/terminal/progress.ts';
import manifest from '../../package.json' with { type: 'json' };
import { DrilledStage, DrillFailed } from './drilled-stage.ts';
import { holdings } from './left-over.ts';
import { keepOldWorker, type OldWorker } from './old-worker.ts';

/** The canary has ended by then, so only its webhook can still arrive. */
const LONGEST_WEBHOOK_MS = 60_000;

/** The settings that give a stage without an edge a canary. */
const WITH_CANARY = { canary: true, domain: { name: 'genway.example.com' } };

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
  await upgrade(stage);
  expect(await stage.genway('doctor').catch(String)).toMatch(/leftovers +none from an earlier deployment/);
  const jobs = [...before, ...(await submitAll(5))];
  await Promise.all(jobs.map((id) => untilCompleted(api(), id)));
  proveWork(stage, worker);
  await worker.remove();
  await proveData(stage.baseUrl, seeded);
  return jobs;
}

/** By the command that says first what it changes. The deployment afterwards changes nothing more. */
async function upgrade(stage: DrilledStage): Promise<void> {
  const config = join(stage.state.root, `${STAGE}.jsonc`);
  const local = v.parse(settingsSchema, await readFile(join(CHECKOUT, fileOf(STAGE)), 'utf8'));
  await writeFile(config, JSON.stringify({ ...local, edgeSecretSha256: [stage.secretSha256], ...KEPT }));
  // The edge of the drills leads to the stage, so `verify` would be refused.
  const args = ['upgrade', '--config', config, '--yes', '--no-verify', '--allow', ...UNSURE];
  const before = await holdings(stage.aws);
  const said = await stage.run(join(CHECKOUT, 'bin/genway.ts'), args, CHECKOUT);
  expect(said).toMatch(new RegExp(`^From \\S+ to ${manifest.version}$`, 'm'));
  expect(said).toMatch(/^Changes in place: \d+$/m);
  const { tables, buckets, keys } = await holdings(stage.aws);
  for (const [is, was] of [
    [tables, before.tables],
    [buckets, before.buckets],
    [keys, before.keys],
  ] as const)
    expect(is).toEqual(expect.arrayContaining(was ?? []));
  await stage.deploy(KEPT);
}

/**
 * A table, and keys whose descriptions have changed. The emulator cannot tell that these changes replace nothing; that
 * all of them stay is tried.
 */
const UNSURE = ['Audit3D8ADE0A', 'GenerationsKey0F9C8A5F', 'WebhooksSigningKeyE942A5B4'];

const settingsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

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

/**
 * Resources of a deleted stack that CloudFormation created and did not delete. `holdings` does not list all kinds, such as
 * roles. The emulator reports nothing about the resources of nested stacks.
 */
async function undeleted(aws: AwsAccess, stack: string): Promise<string[]> {
  const client = new CloudFormationClient(aws);
  const left: string[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks(
    { client },
    { StackStatusFilter: ['DELETE_COMPLETE'] },
  )) {
    for (const { StackId, StackName = '' } of StackSummaries.filter((one) => one.StackName === stack)) {
      // The events arrive newest first.
      const last = new Map<string, string>();
      const events = [];
      for await (const page of paginateDescribeStackEvents({ client }, { StackName: StackId })) {
        events.push(...(page.StackEvents ?? []));
      }
      for (const { LogicalResourceId = '', ResourceStatus = '' } of events.toReversed())
        last.set(LogicalResourceId, ResourceStatus);
      for (const [id, status] of last)
        if (status !== 'DELETE_COMPLETE') left.push(`${StackName} ${id}: ${status}`);
    }
  }
  return left;
}

const RESTORED = 'Restored-jobs';

/**
 * Damages two ended jobs and restores them as docs/deploy.md describes. The emulator cannot restore an earlier moment,
 * so the table is restored before the damage.
 */
async function restoreJobs(stage: DrilledStage, jobs: readonly string[]): Promise<void> {
  const dynamo = new DynamoDBClient(stage.aws);
  const table = stage.output('JobsTable');
  await dynamo.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: RESTORED,
      UseLatestRestorableTime: true,
    }),
  );
  const row = async (TableName: string, id: string) =>
    (await dynamo.send(new GetItemCommand({ TableName, Key: { id: { S: id } }, ConsistentRead: true }))).Item;
  const [gone = '', damaged = ''] = jobs;
  const before = await Promise.all([gone, damaged].map((id) => row(RESTORED, id)));
  assert.ok(!before.includes(undefined), 'The stage has no such jobs');

  await stage.genway('admin', 'incident', 'pause', 'submit-jobs', 'poll-videos', 'sweep-jobs');
  await dynamo.send(new DeleteItemCommand({ TableName: table, Key: { id: { S: gone } } }));
  await dynamo.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { id: { S: damaged } },
      UpdateExpression: 'REMOVE #status',
      ExpressionAttributeNames: { '#status': 'status' },
    }),
  );
  const restore = (...options: string[]) =>
    stage.genway('admin', 'restore-rows', RESTORED, table, '--only', gone, damaged, ...options);
  assert.match(await restore(), /^Rows to restore: 2 \(missing: 1, changed: 1\)$/m);
  assert.match(await restore('--write'), /^Rows restored: 2 \(missing: 1, changed: 1\)$/m);
  assert.match(await restore(), /^Rows to restore: 0 /m);
  assert.deepEqual(await Promise.all([gone, damaged].map((id) => row(table, id))), before);
  await stage.genway('admin', 'incident', 'resume', 'submit-jobs', 'poll-videos', 'sweep-jobs');
  await dynamo.send(new DeleteTableCommand({ TableName: RESTORED }));
}

const TEXT = 'What must still be there.\n';
const LONGEST_WAIT_MS = 180_000;
const clip = { model: 'sandbox/clip-1', prompt: 'A drill', duration: 1, size: '640x360' };

const idSchema = v.object({ id: v.string() });
const jobSchema = v.object({ id: v.string(), status: v.string() });

/** A caller's data on the stage. */
interface SeededData {
  readonly key: string;
  readonly secret: string;
  readonly fileId: string;
  readonly doneId: string;
  /** The digest of the video's bytes. */
  readonly sha256: string;
}

/** @param fields the fields of the request that differ @returns the job's id */
async function submit(api: DemoApi, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return (await api.post('/videos', { ...clip, ...fields }, idSchema)).id;
}

async function untilCompleted(api: DemoApi, id: string): Promise<void> {
  const until = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const { status } = await api.get(`/videos/${id}`, jobSchema);
    if (status === 'completed') return;
    assert.ok(['pending', 'in_progress'].includes(status), `${id} is ${status}`);
    assert.ok(Date.now() < until, `${id} is still ${status}`);
    await wait(500);
  }
}

/** Options for a job that takes this many seconds. */
const lasting = (latency_s: number) => ({ provider: { options: { sandbox: { latency_s } } } });

async function seedData(baseUrl: string, managementKey: string): Promise<SeededData> {
  const manager = new DemoApi(baseUrl, managementKey);
  const workspace = v.object({ data: idSchema });
  const slug = `drill-${Date.now()}`;
  const { data } = await manager.post('/workspaces', { name: 'Drill', slug }, workspace);
  const rotate = `/workspaces/${data.id}/webhook-secret/rotate`;
  const { secret } = await manager.post(rotate, {}, v.object({ secret: v.string() }));
  const named = { name: 'Drill', workspace_id: data.id };
  const { key } = await manager.post('/keys', named, v.object({ key: v.string() }));
  const api = new DemoApi(baseUrl, key);
  const form = new FormData();
  form.append('file', new Blob([TEXT]), 'drill.txt');
  const { id: fileId } = await api.post('/files', form, idSchema);
  const doneId = await submit(api, lasting(0));
  await untilCompleted(api, doneId);
  return { key, secret, fileId, doneId, sha256: digest(await api.download(`/videos/${doneId}/content`)) };
}

/**
 * Checks that all data is there, that the key works, and that a new job's webhook arrives with the same signing secret.
 */
async function proveData(
  baseUrl: string,
  { key, secret, fileId, doneId, sha256 }: SeededData,
): Promise<void> {
  const api = new DemoApi(baseUrl, key);
  assert.equal(Buffer.from(await api.download(`/files/${fileId}/content`)).toString(), TEXT);
  assert.equal(digest(await api.download(`/videos/${doneId}/content`)), sha256);
  const receiver = await openReceiver();
  try {
    await untilCompleted(api, await submit(api, { ...lasting(0), callback_url: receiver.url }));
    const late = wait(LONGEST_WAIT_MS, undefined, { ref: false }).then(() =>
      assert.fail('The webhook has not arrived'),
    );
    verifyDelivery(await Promise.race([receiver.delivery, late]), secret);
  } finally {
    receiver.close();
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Runs the deployed canary with its role, secret and key. Two of its variables differ from AWS: the stage's domain
 * leads nowhere here, and the emulator gives functions no address. So a local server receives the webhook and passes it
 * to the deployed receiver.
 */
async function runDeployedCanary(stage: DrilledStage): Promise<void> {
  const lambda = new LambdaClient(stage.aws);
  await stage.genway('admin', 'create-canary-key');
  const { FunctionName, Environment } = await stage.function('run-canary');
  const { FunctionName: receive = '' } = await stage.function('receive-canary-webhook');
  const receiver = await openReceiver();
  try {
    const Variables = {
      ...Environment?.Variables,
      CANARY_TARGET: stage.baseUrl,
      CANARY_RECEIVER: receiver.url,
    };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName }));
    assert.equal(FunctionError, undefined);
    const said = () => stage.logged.filter(({ logGroup }) => logGroup === `/${STACK}/run-canary`);
    const late = wait(LONGEST_WEBHOOK_MS, undefined, { ref: false }).then(() =>
      assert.fail(`The canary’s webhook has not arrived: ${said().map(({ text }) => text)}`),
    );
    const delivery = await Promise.race([receiver.delivery, late]);
    assert.equal(await answerOf(lambda, receive, delivery), 204);
    assert.equal(await answerOf(lambda, receive, { ...delivery, body: `${delivery.body} ` }), 401);
    const lines = said().map(({ text }) => text);
    assert.ok(
      lines.some((line) => line.includes('"CanaryRuns"') && line.includes('"outcome":"passed"')),
      lines.join('\n'),
    );
  } finally {
    receiver.close();
  }
}

/** Invokes the function as its own address would. */
async function answerOf(client: LambdaClient, FunctionName: string, request: object): Promise<unknown> {
  const { Payload } = await client.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }),
  );
  return JSON.parse(Buffer.from(Payload ?? []).toString()).statusCode;
}
