import { registerHooks } from 'node:module';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CREDITS } from '../functions/money/account.ts';
import { AwsWorld } from '../test/engines/index.ts';
import { virtualPause } from './virtual-pause.ts';

/**
 * How often transactions conflict on the rows of one workspace, and at what cost, at rising rates of submits; and
 * what happens to submits that ask for the last credits. It uses the in-memory DynamoDB, whose transactions lock their
 * rows for 10 ms. Time is virtual, so the machine's load changes no figure.
 *
 *   npx node bench/contention.ts [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 20);
/** Submits a second, and the number of workspaces. */
const CASES: readonly (readonly [number, number])[] = [
  ...[2, 5, 10, 20, 30, 40, 60].map((rate) => [rate, 1] as const),
  [200, 20],
];
/** The same, and the share of five seconds' submits for which there are credits. */
const LAST_CREDITS: readonly (readonly [number, number, number])[] = [
  [20, 5, 25],
  [50, 20, 100],
  [200, 20, 250],
];
const INSTANCES = 8;
const USD = 1_000_000;
const PRICE = 40_000;

// Pauses before another attempt must use virtual time too; all later imports get them.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/jittered-pause.ts')
      ? next(new URL('virtual-pause.ts', import.meta.url).href, context)
      : next(specifier, context),
});
const { JobLedger, newOwner } = await import('../test/contract/job-ledger.ts');
const { runLoad } = await import('../test/money/submit-load.ts');

process.stdout.write(
  '| submits/s | workspaces | transactions | conflicted | submits refused |\n|---|---|---|---|---|\n',
);
for (const [submitsPerSecond, workspaces] of CASES) {
  const world = new AwsWorld({ transactionMilliseconds: 10 });
  virtualPause.world = world;
  const { dynamo } = world.startProcess();
  const counted = countConflicts(dynamo);
  const ledger = await JobLedger.create(dynamo);
  await ledger.limit(CREDITS, 'lifetime', 1_000 * USD);
  const load = {
    submitsPerSecond,
    seconds: SECONDS,
    owners: Array.from({ length: workspaces }, newOwner),
    micros: PRICE,
  };
  const { submits, refused } = await runLoad(world, [ledger], { ...load, jobMilliseconds: 3_000 });
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;
  const line = [
    submitsPerSecond,
    workspaces,
    counted.sent,
    share(counted.met, counted.sent),
    share(refused.length, submits),
  ];
  process.stdout.write(`| ${line.join(' | ')} |\n`);
}

process.stdout.write(
  '\n| submits/s | workspaces | credits for | submits | accepted | told 402 | refused |\n|---|---|---|---|---|---|---|\n',
);
for (const [submitsPerSecond, workspaces, jobs] of LAST_CREDITS) {
  const world = new AwsWorld({ transactionMilliseconds: 10, latency: () => 2 + 4 * world.random() });
  virtualPause.world = world;
  const ledger = await JobLedger.create(world.startProcess().dynamo);
  await ledger.limit(CREDITS, 'lifetime', jobs * PRICE);
  const instances = Array.from({ length: INSTANCES }, () =>
    ledger.beside(world.startProcess().dynamo, world.clock.now),
  );
  const { submits, accepted, unaffordable, refused } = await runLoad(world, instances, {
    submitsPerSecond,
    seconds: 5,
    owners: Array.from({ length: workspaces }, newOwner),
    micros: PRICE,
    jobMilliseconds: 3_000,
  });
  const line = [submitsPerSecond, workspaces, jobs, submits, accepted, unaffordable, refused.length];
  process.stdout.write(`| ${line.join(' | ')} |\n`);
}

/** Counts a client's transactions, and how many of them had a conflict. */
function countConflicts(client: DynamoDBDocumentClient): { sent: number; met: number } {
  const counted = { sent: 0, met: 0 };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand' && commandName !== 'TransactWriteCommand')
          return next(args);
        counted.sent++;
        try {
          return await next(args);
        } catch (error) {
          if (String(error).includes('TransactionConflict')) counted.met++;
          throw error;
        }
      },
    { step: 'initialize' },
  );
  return counted;
}
