import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { FileStore } from '../functions/files/file-store.ts';
import { firstVideoId } from '../functions/ids.ts';
import { JobStore } from '../functions/videos/jobs/job-store.ts';
import { DeployedStage } from '../test/deployed/deployed-stage.ts';
import { AwsWorld, countReads } from '../test/engines/index.ts';
import { aJob, START } from '../test/videos/jobs/job-fixture.ts';
import { measureJobs } from './scale/measure-jobs.ts';

/**
 * How many DynamoDB calls and units one more job and one page of a list need while a workspace has more and more jobs and
 * files: both must stay constant. Runs over AWS in memory, so it counts calls, rows and write units, not time.
 *
 *   npx node bench/growth.ts [most jobs] [most files]
 */
const [MOST_JOBS = 10_000, MOST_FILES = 100_000] = process.argv.slice(2).map(Number);
const MEASURED = 10;
const VIDEO_SECONDS = 30;
const PAGE = 20;
const WORKSPACE = 'ws-1';

const powers = (first: number, most: number): number[] =>
  Array.from({ length: 1 + Math.round(Math.log10(most / first)) }, (_, power) => first * 10 ** power);

print('| jobs before | calls of AWS a job | write units a job |\n| --- | --- | --- |');
for (const earlier of powers(1, MOST_JOBS)) {
  // The first job borrows credits for the others.
  const { calls, writeUnits } = await measureJobs(MEASURED, { seconds: VIDEO_SECONDS }, 1 + earlier);
  const units = [...writeUnits.values()].reduce((sum, each) => sum + each, 0);
  print(`| ${earlier} | ${calls.length / MEASURED} | ${units / MEASURED} |`);
}

print(
  '\n| rows | a page of jobs: calls, rows read | a page of files: calls, rows read |\n| --- | --- | --- |',
);
for (const rows of powers(10, MOST_FILES)) {
  const jobs = rows > MOST_JOBS ? undefined : await readsOfJobs(rows);
  print(`| ${rows} | ${jobs ?? ''} | ${await readsOfFiles(rows)} |`);
}

async function readsOfJobs(count: number): Promise<string> {
  const { world, name } = stage('Videos-Jobs');
  const store = (client: DynamoDBDocumentClient) => new JobStore(client, name, () => undefined);
  const { dynamo } = world.startProcess('writer');
  const rows = Array.from({ length: count }, (_, second) =>
    aJob({ id: firstVideoId(new Date(START.getTime() + 1_000 * second)), workspace_id: WORKSPACE }),
  ).flatMap((job) => store(dynamo).insertion(job));
  await writeAll(
    dynamo,
    name,
    rows.map(({ Put }) => Put.Item),
  );
  return readsOf(world, (client) => store(client).list(WORKSPACE, {}, PAGE));
}

async function readsOfFiles(count: number): Promise<string> {
  const { world, name } = stage('Files-Table');
  const files = Array.from({ length: count }, (_, number) => ({
    id: `gw_file_${String(number).padStart(9, '0')}`,
    workspace_id: WORKSPACE,
    filename: 'shots.txt',
    mime_type: 'text/plain',
    size_bytes: 1,
    purpose: 'user_data',
    created_at: START.toISOString(),
  }));
  await writeAll(world.startProcess('writer').dynamo, name, files);
  const after = files[Math.floor(count / 2)]?.id;
  return readsOf(world, (client) =>
    new FileStore(client, name, () => START).list(WORKSPACE, { after, limit: PAGE }),
  );
}

function stage(path: string) {
  const world = new AwsWorld({ keepsCalls: false });
  return { world, name: new DeployedStage(world).name(path) };
}

async function writeAll(
  client: DynamoDBDocumentClient,
  table: string,
  rows: readonly object[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 25) {
    const requests = rows.slice(at, at + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  }
}

async function readsOf(
  world: AwsWorld,
  read: (client: DynamoDBDocumentClient) => Promise<unknown>,
): Promise<string> {
  const { dynamo } = world.startProcess('reader');
  const reads = countReads(dynamo);
  await read(dynamo);
  return `${reads.calls}, ${reads.rows}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
