/**
 * Runs a local stage under load, kills its processes at random moments with SIGKILL and restarts them: `npm run torture
 * -- --kills 200`. It fails if an accepted job is lost, anything is billed twice, the ledger does not add up, or the
 * end of a job is not reported.
 *
 * The emulator is not killed, because it stores rows and messages in memory. Nothing on AWS does that.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { endedOnce, moneyAddsUp, type Problems, toldOnce } from '../../bench/stage-jobs/checks.ts';
import type { SeenJob } from '../../bench/stage-jobs/ended-jobs.ts';
import { openReceiver } from '../../bench/stage-jobs/receiver.ts';
import { wholeNumber } from '../../bin/cli/api-command.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { announcedAccessSchema } from '../../local/emulator/aws-access.ts';
import { seededRandom } from '../engines/index.ts';
import { checkHistory } from '../histories/check-history.ts';
import { type Exchange, jobsIn } from '../histories/exchange.ts';
import { Client } from './client.ts';
import { LocalRun } from './local-run.ts';
import { Tenant } from './tenant.ts';

const { kills: KILLS, seed } = new Command('npm run torture --')
  .description('Kills processes of a local run under load, and then checks for lost jobs and double bills.')
  .option('--kills <number>', 'the number of kills', wholeNumber, 200)
  .option(
    '--seed <number>',
    'the seed of the random numbers that choose what is killed, and when',
    wholeNumber,
    1,
  )
  .parse()
  .opts();
const random = seededRandom(seed);
const TENANTS = ['one', 'two', 'three'];
const CLIENTS_OF_EACH = 2;
const BETWEEN_KILLS = 3_000;
/** One of this many kills hits the whole run, whose restart takes longest. */
const WHOLE_RUN = 25;
/** A killed function's messages come back after six minutes, and the sweeper needs as long again. */
const PATIENCE = 20 * 60_000;

const stateDir = await mkdtemp(join(tmpdir(), 'genway-torture-'));
const receiver = await openReceiver();
const { run, info } = await LocalRun.start(stateDir);
try {
  const tenants: Tenant[] = [];
  for (const name of TENANTS) tenants.push(await Tenant.open(name, info));
  const history: Exchange[] = [];
  let isOver = false;
  const working = tenants.flatMap(({ name, key }) =>
    Array.from({ length: CLIENTS_OF_EACH }, () => {
      const ports = { baseUrl: info.base_url, key, callbackUrl: receiver.url, history, random };
      return new Client(name, ports).work(() => isOver);
    }),
  );
  const killed = await killAtRandom(run);
  isOver = true;
  await Promise.all(working);
  const deadline = Date.now() + PATIENCE;
  const haveEnded = await Promise.all(tenants.map((tenant) => tenant.hasEnded(deadline)));
  await sleep(30_000);
  const verdict = await judge(tenants, history);
  console.log({ killed, requests: history.length, orders: countOrders(history), haveEnded });
  for (const problem of verdict) console.log(`FAILED: ${problem}`);
  if (verdict.length > 0 || haveEnded.includes(false)) process.exitCode = 1;
  else console.log('Nothing is lost, nothing is billed twice, the ledger adds up, and every end is reported');
} finally {
  await run.stop();
  receiver.close();
  await rm(stateDir, { recursive: true, force: true });
}

async function killAtRandom(run: LocalRun) {
  const killed = { functions: 0, runs: 0 };
  while (killed.functions + killed.runs < KILLS) {
    await sleep(BETWEEN_KILLS * random());
    if (random() < 1 / WHOLE_RUN) {
      await run.killAndRestart();
      killed.runs++;
      continue;
    }
    const functions = await run.functions();
    const pid = functions[Math.floor(random() * functions.length)];
    if (pid !== undefined && kill(pid)) killed.functions++;
  }
  return killed;
}

/** False if the process has already ended. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

async function accountStore(): Promise<AccountStore> {
  const read = async <const Schema extends v.GenericSchema>(name: string, schema: Schema) =>
    v.parse(v.pipe(v.string(), v.parseJson(), schema), await readFile(join(stateDir, name), 'utf8'));
  const { aws } = await read('run.json', v.object({ aws: announcedAccessSchema }));
  const outputs = await read('outputs.json', v.record(v.string(), v.record(v.string(), v.string())));
  const table = Object.values(outputs).flatMap(({ AccountsTable }) => AccountsTable ?? [])[0] ?? '';
  return new AccountStore(DynamoDBDocumentClient.from(new DynamoDBClient(aws)), table);
}

function countOrders(history: readonly Exchange[]): number {
  return new Set(history.flatMap(({ idempotencyKey }) => idempotencyKey ?? [])).size;
}

/** All problems of the final state, one line each. */
async function judge(tenants: readonly Tenant[], history: readonly Exchange[]): Promise<Problems> {
  const accounts = await accountStore();
  const problems: string[] = [...checkHistory(history)];
  for (const tenant of tenants) {
    const jobs = await tenant.jobs();
    const ledger = await tenant.ledger(accounts);
    const own = [
      ...endedOnce(jobs),
      ...toldOnce(receiver.told, jobs),
      ...moneyAddsUp(ledger, jobs),
      ...lost(tenant, history, new Set(jobs.map(({ id }) => id))),
      ...twice(jobs),
    ];
    problems.push(...own.map((problem) => `${tenant.name}: ${problem}`));
  }
  return problems;
}

function lost({ name }: Tenant, history: readonly Exchange[], jobs: ReadonlySet<string>): Problems {
  const submits = history.filter(({ tenant, route }) => tenant === name && route === 'submit-video');
  const accepted = submits.flatMap(jobsIn).filter(({ id }) => !jobs.has(id));
  return accepted.map(({ id }) => `${id} was accepted and is lost`);
}

function twice(jobs: readonly SeenJob[]): Problems {
  return [...Map.groupBy(jobs, ({ metadata }) => metadata.order)]
    .filter(([, same]) => same.length > 1)
    .map(([order, same]) => `${order} became ${same.map(({ id }) => id).join(' and ')}`);
}
