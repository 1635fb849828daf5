import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { DestinationStore } from '../functions/broadcast/destination-store.ts';
import { ReplayStore } from '../functions/gate/answer-once.ts';
import { ContentStore } from '../functions/generations/content-store.ts';
import { GuardrailStore } from '../functions/guardrails/guardrail-store.ts';
import { firstVideoId } from '../functions/ids.ts';
import { ProviderKeyStore } from '../functions/provider-keys/provider-key-store.ts';
import { REMOVAL_LISTING } from '../functions/tables.ts';
import { settlementEvent } from '../functions/videos/jobs/job-event.ts';
import { transition } from '../functions/videos/jobs/job-machine.ts';
import { JobStore } from '../functions/videos/jobs/job-store.ts';
import { JobPurge } from '../functions/videos/jobs/purge-jobs.ts';
import { EventStore } from '../functions/webhooks/events/event-store.ts';
import { WebhookSettingsStore } from '../functions/webhooks/settings/webhook-settings.ts';
import { RemovalStore } from '../functions/workspaces/removal-store.ts';
import { purgeWorkspaces, REST_MILLISECONDS } from '../functions/workspaces/remove-workspace.ts';
import { DeployedStage } from '../test/deployed/deployed-stage.ts';
import { AwsWorld } from '../test/engines/index.ts';
import { listsOf } from '../test/lists/lists-of.ts';
import { aJob, START } from '../test/videos/jobs/job-fixture.ts';

/**
 * What the purge of a deleted workspace costs whose jobs each have a request, an event and a private log. Runs over AWS
 * in memory, each of whose answers takes 10 ms and whose indexes lag by 100 ms. The objects are left out: one call
 * deletes a thousand. The engine's own CPU grows with the square of the jobs.
 *
 *   npx node bench/purge.ts [jobs]
 */
const [JOBS = 20_000] = process.argv.slice(2).map(Number);
const MINUTE = 60_000;
/** As `sweep-workspaces.ts` has it. */
const RUN = 30_000;

const world = new AwsWorld({ start: START, keepsCalls: false, latency: () => 10, lag: () => 100 });
const stage = new DeployedStage(world);
const name = (path: string) => stage.name(path);
const { dynamo } = world.startProcess('sweeper');
const now = world.clock.now;

const nothing = () => undefined;
const jobs = new JobStore(dynamo, name('Videos-Jobs'), nothing);
const BEFORE = new Date(START.getTime() - 2 * REST_MILLISECONDS);

type TableRow = readonly [table: string, row: object];

/** The rows that a job leaves behind, by their tables. */
function rowsOf(number: number): TableRow[] {
  const job = aJob({ id: firstVideoId(new Date(BEFORE.getTime() - number * 1_000)) });
  const { changes } = transition(job, { type: 'expired', reason: 'late' }, BEFORE, 'end');
  const ended = { ...job, ...changes };
  return [
    ...jobs.insertion(ended).map(({ Put }) => [Put.TableName, Put.Item] as const),
    [name('Webhooks-Events'), settlementEvent(ended, BEFORE)],
    [name('Generations-Logs'), { workspace_id: job.workspace_id, generation_id: job.id, sealed: 'log' }],
  ];
}

async function write(rows: readonly TableRow[]): Promise<void> {
  const requests = rows.map(([table, row]) => [table, { PutRequest: { Item: { ...row } } }] as const);
  const byTable = [...Map.groupBy(requests, ([table]) => table)];
  const RequestItems = Object.fromEntries(byTable.map(([table, of]) => [table, of.map(([, put]) => put)]));
  await dynamo.send(new BatchWriteCommand({ RequestItems }));
}

for (let number = 0; number < JOBS; number += 6) {
  const some = Array.from({ length: Math.min(6, JOBS - number) }, (_, i) => number + i);
  await write(some.flatMap(rowsOf));
}
const id = 'ws-1';
const removed = { id, slug: id, slug_freed: true, removed_at: BEFORE.toISOString() };
const listed = { listing: REMOVAL_LISTING, created_at: BEFORE.toISOString() };
await write([[name('Workspaces'), { pk: `WORKSPACE#${id}`, ...removed, ...listed }]]);
await world.clock.wait(MINUTE);

const events = new EventStore(dynamo, name('Webhooks-Events'));
const removals = new RemovalStore(dynamo, name('Workspaces'));
const ports = {
  removals,
  providerKeys: new ProviderKeyStore(dynamo, name('ProviderKeys-Table')),
  lists: listsOf(dynamo, stage),
  guardrails: new GuardrailStore(dynamo, name('Guardrails')),
  webhooks: new WebhookSettingsStore(dynamo, name('Webhooks-Settings')),
  broadcasts: new DestinationStore(dynamo, name('Broadcast')),
  jobs: new JobPurge(dynamo, name('Videos-Jobs'), { removeUpstream: async () => undefined, now }),
  holdings: [
    new ReplayStore(dynamo, name('Replays')),
    events,
    new ContentStore(dynamo, name('Generations-Logs')),
  ],
  now,
  tellUnreadable: nothing,
  log: {
    info: nothing,
    error: (_: string, { error }: { error?: unknown }) => {
      throw error;
    },
  },
};

const begun = now().getTime();
const calls = world.journal.count;
const cpu = process.cpuUsage();
const heap = process.memoryUsage().heapUsed;
let runs = 0;
let longest = 0;
for (; (await removals.findById(id))?.emptied_at === undefined; runs++) {
  const start = now().getTime();
  await purgeWorkspaces(new Date(start + RUN), ports);
  longest = Math.max(longest, now().getTime() - start);
  await world.clock.wait(start + MINUTE - now().getTime());
}
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(
  `${JOBS} jobs: ${runs} runs, the longest ${(longest / 1_000).toFixed(1)} s, ` +
    `${((now().getTime() - begun) / MINUTE).toFixed(0)} minutes, ` +
    `${((world.journal.count - calls) / JOBS).toFixed(2)} calls of AWS a job, ` +
    `${((user + system) / 1e6).toFixed(0)} s of CPU with the engine's, ` +
    `${((process.memoryUsage().heapUsed - heap) / 2 ** 20).toFixed(0)} MiB more of heap\n`,
);
