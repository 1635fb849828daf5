import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { transact } from '../functions/aws/dynamo-writes.ts';
import { answerOnce, ReplayStore } from '../functions/gate/answer-once.ts';
import { BucketStore } from '../functions/gate/bucket-store.ts';
import { json } from '../functions/http/response.ts';
import { workspaceAccount } from '../functions/money/account.ts';
import { AccountBook } from '../functions/money/account-book.ts';
import { AccountStore } from '../functions/money/account-store.ts';
import { withLimit } from '../functions/money/account-update.ts';
import { micros } from '../functions/money/micros.ts';
import { acceptJob } from '../functions/videos/jobs/accept-job.ts';
import type { JobWithRequest } from '../functions/videos/jobs/job.ts';
import { JobStore } from '../functions/videos/jobs/job-store.ts';
import type { AwsAccess } from '../local/emulator/aws-access.ts';
import { startStage } from '../local/stage.ts';
import { createTable } from '../test/engines/conformance/index.ts';

/**
 * Repeated races over a real table of the emulator: submits for the rest of a budget, equal requests with one
 * idempotency key, and four processes at one rate limit. Exits with 1 if one gives a wrong result.
 *
 *   npx node bench/races.ts [rounds]
 */
const ROUNDS = Number(process.argv[2] ?? 100);
const NOW = new Date('2030-01-01T00:00:00Z');
const now = () => NOW;

/** Many requests wait for a socket here, so the SDK's warning is turned off. */
const PATIENT = { socketAcquisitionWarningTimeout: 600_000 };

const clientOf = (aws: AwsAccess) =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ ...aws, requestHandler: PATIENT }), {
    marshallOptions: { removeUndefinedValues: true },
  });

interface RateOrder {
  readonly aws: AwsAccess;
  readonly table: string;
  readonly bucket: string;
  readonly calls: number;
}

async function main(): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'genway-races-'));
  const stage = await startStage({ stateDir, port: 0 });
  try {
    const client = clientOf(stage.aws);
    const budget = await repeat('200 submits with room for 10', [10], () => raceForBudget(client));
    const equal = await repeat('50 equal requests with one idempotency key', [1], () => raceToAnswer(client));
    const rate = await repeat('4 processes, 1,000 calls, limit 100', [100], () =>
      raceForTokens(stage.aws, client),
    );
    if (!(budget && equal && rate)) process.exitCode = 1;
  } finally {
    await stage.stop();
    await rm(stateDir, { recursive: true });
  }
}

/** Whether every round gave one of the expected numbers. */
async function repeat(name: string, expected: number[], race: () => Promise<number>): Promise<boolean> {
  const found = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const passed = await race();
    found.set(passed, (found.get(passed) ?? 0) + 1);
  }
  const told = [...found].map(([passed, times]) => `${passed} in ${times} rounds`).join(', ');
  process.stdout.write(`${name}: ${told}\n`);
  return [...found.keys()].every((passed) => expected.includes(passed));
}

async function raceForBudget(client: DynamoDBDocumentClient): Promise<number> {
  const [jobs, accounts] = [await createTable(client, 'id'), await createTable(client, 'account')];
  const store = new AccountStore(client, accounts);
  const account = await store.readOne(workspaceAccount('w'));
  const limits = { limits: withLimit(account, 'daily', micros(100_000), NOW), countsByok: false };
  await transact(client, { account: store.changeLimits(account, limits) });
  const ports = {
    client,
    jobs: new JobStore(client, jobs, () => undefined),
    accounts: store,
    book: new AccountBook(store, now),
    now,
  };
  const submits = await Promise.allSettled(
    Array.from({ length: 200 }, (_, number) => acceptJob(aJob(number), {}, ports)),
  );
  const { reserved, open_jobs: open } = await store.readOne(workspaceAccount('w'));
  const accepted = submits.filter(({ status }) => status === 'fulfilled').length;
  if (reserved !== accepted * 10_000 || open !== accepted) throw new Error('the account does not add up');
  return accepted;
}

/** Only the fields that a hold reads. */
const aJob = (number: number) =>
  ({
    id: `vid_${number}`,
    key_hash: `k${number}`,
    workspace_id: 'w',
    estimate_micros: 10_000,
    is_byok: false,
    deadline_at: NOW.getTime(),
  }) as JobWithRequest;

async function raceToAnswer(client: DynamoDBDocumentClient): Promise<number> {
  const [made, replays] = [await createTable(client, 'id'), await createTable(client, 'id')];
  const ports = { replays: new ReplayStore(client, replays), now };
  const call = {
    principal: { keyHash: 'k' },
    method: 'POST',
    pattern: '/videos',
    headers: { 'idempotency-key': 'once' },
    body: Buffer.from('{}'),
  } as unknown as Parameters<typeof answerOnce>[0];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      answerOnce(call, ports, async (remember) => {
        const answer = json(202, { number });
        const row = { Put: { TableName: made, Item: { id: String(number) } } };
        await transact(client, { ...remember(answer), row });
        return answer;
      }),
    ),
  );
  const { Count = 0 } = await client.send(new ScanCommand({ TableName: made, ConsistentRead: true }));
  return Math.max(Count, new Set(answers.map(({ body }) => body)).size);
}

async function raceForTokens(aws: AwsAccess, client: DynamoDBDocumentClient): Promise<number> {
  const table = await createTable(client, 'id');
  const processes = Array.from({ length: 4 }, async () => {
    const child = fork(import.meta.filename);
    child.send({ aws, table, bucket: 'b', calls: 250 } satisfies RateOrder);
    const [passed] = await once(child, 'message');
    await once(child, 'exit');
    return Number(passed);
  });
  return (await Promise.all(processes)).reduce((sum, passed) => sum + passed, 0);
}

async function takeTokens({ aws, table, bucket, calls }: RateOrder): Promise<void> {
  const store = new BucketStore(clientOf(aws), table);
  const takings = await Promise.allSettled(
    Array.from({ length: calls }, () => store.take(bucket, { perMinute: 100 }, NOW)),
  );
  const passed = takings.filter((each) => each.status === 'fulfilled' && each.value.taken).length;
  process.send?.(passed, () => process.disconnect());
}

if (process.send === undefined) await main();
else process.once('message', (order: RateOrder) => void takeTokens(order));
