import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { traceIdOf } from '../../../functions/broadcast/trace.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import { VIDEO_ID } from '../../../functions/videos/jobs/job.ts';
import { requestId } from '../../../functions/videos/jobs/job-request.ts';
import { salvageJob } from '../../../functions/videos/jobs/salvage-job.ts';
import { eventIdOf } from '../../../functions/webhooks/events/event.ts';
import { CommandFailed } from '../../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from '../command.ts';
import { explanation, type JobFacts } from './explanation.ts';
import { findWorkers } from './worker.ts';
import { workerLine } from './workers.ts';

/** The workers that move jobs and send their webhooks. */
const CONCERNED = ['poll-videos', 'copy-videos', 'deliver-events', 'sweep-jobs', 'sweep-events'];

export const explainCommand = (admin: Admin) =>
  adminCommand(
    'explain',
    `Shows all data about a job on one screen: its next step, its row, its history, the money that it holds,
its webhook with each attempt, and whether its workers run. Prompts and addresses are left out.`,
    ['incident explain vid_01jg000000000000000000000a --stage prod'],
  )
    .argument('<job>', 'its id')
    .action(async (id, { stage }) => {
      const deployment = await admin.open(stage);
      const facts = VIDEO_ID.test(id) ? await factsOf(id, deployment) : undefined;
      if (facts === undefined) throw new CommandFailed(`There is no job ${id}`);
      for (const line of explanation(facts, admin.now())) admin.print(line);
    });

async function factsOf(id: string, deployment: Deployment): Promise<JobFacts | undefined> {
  const { client, output } = deployment;
  const read = async (table: string, key: string) => {
    const asked = { TableName: output(table), Key: { id: key }, ConsistentRead: true };
    return (await client.send(new GetCommand(asked))).Item;
  };
  const event = eventIdOf(id);
  const row = await read('JobsTable', id);
  if (row === undefined) return undefined;
  const [request, told, trace, accounts, workers] = await Promise.all([
    read('JobsTable', requestId({ id })),
    read('EventsTable', event),
    read('EventsTable', traceIdOf(event)),
    accountsOf(row, deployment),
    findWorkers(deployment),
  ]);
  const concerned = CONCERNED.flatMap((name) => workers.filter((worker) => worker.name === name));
  return {
    row,
    hasRequest: request !== undefined,
    accounts,
    event: told,
    trace,
    workers: await Promise.all(concerned.map((worker) => workerLine(worker, deployment.sqs))),
  };
}

async function accountsOf(row: Record<string, unknown>, { client, output }: Deployment) {
  const store = new AccountStore(client, output('AccountsTable'));
  const { holds } = salvageJob(row).job;
  const readings = holds.map(({ account }) => store.readOne(account).catch(unreadable));
  return (await Promise.all(readings)).filter((account) => account !== undefined);
}

function unreadable(error: unknown): undefined {
  if (!(error instanceof v.ValiError)) throw error;
}
