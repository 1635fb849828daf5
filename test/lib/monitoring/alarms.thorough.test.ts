/**
 * Raises each alarm by a real fault, on the engines and in their time. The functions are those that are deployed. What
 * they write of metrics is counted as CloudWatch counts it, and judged by the rules of `lib/`.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { workspaceAccount } from '../../../functions/money/account.ts';
import { micros } from '../../../functions/money/micros.ts';
import { manners } from '../../../functions/videos/providers/manners.ts';
import type { Call, Fault } from '../../engines/index.ts';
import {
  bundleFunctions,
  CONSUMERS,
  type FunctionName,
  type InstanceScript,
  SWEEPERS,
} from '../../simulation/bundle.ts';
import { AlarmedStage, QUEUES, SEEN_FROM_OUTSIDE, TABLES, type Vendor } from './alarmed-stage.ts';

interface Drill {
  readonly what: string;
  readonly faults?: AlarmedStage['faults'];
  readonly vendor?: Vendor;
  /** What the clock no longer calls. */
  readonly stopped?: readonly FunctionName[];
  readonly minutes: number;
  /** For how long nobody asks for anything after that. */
  readonly quiet?: number;
  /** What Lambda refuses to run. */
  readonly throttled?: FunctionName;
  /** How many videos are submitted in a minute. @default 1 */
  readonly submits?: number;
  /** What somebody does by hand, after five minutes. */
  readonly damage?: (stage: AlarmedStage) => Promise<void>;
  readonly alarms: readonly string[];
}

/** Faults of the calls that are meant. */
const failing =
  (fault: Fault, isMeant: (call: Call) => boolean) =>
  (call: Call): Fault | undefined =>
    isMeant(call) ? fault : undefined;

const by =
  (...processes: readonly string[]) =>
  ({ process }: Call): boolean =>
    processes.includes(process);

/** Nobody receives what is in a queue. */
const paused = (queue: string) =>
  failing('hang', (call) => by(`mapping of ${queue}`)(call) && call.operation === 'ReceiveMessage');

const dying = (worker: string, queue: string): Drill => ({
  what: `${worker} dies`,
  faults: failing('crash before', by(worker)),
  minutes: 25,
  // Until SQS has hidden a message five times.
  quiet: queue === 'copies' ? 440 : 20,
  alarms: [`${worker}Errors`, `${queue}DeadLetters`],
});

const jobSchema = v.object({ id: v.string() });

const DRILLS: readonly Drill[] = [
  { what: 'nothing fails', minutes: 60, alarms: [] },
  {
    what: 'endpoints cannot reach their tables',
    faults: failing('error', by('submit-video', 'list-videos')),
    minutes: 20,
    alarms: ['BurnFast', 'BurnSlow', 'BurnSteady'],
  },
  dying('submit-jobs', 'submits'),
  dying('poll-videos', 'jobs'),
  dying('copy-videos', 'copies'),
  dying('deliver-events', 'events'),
  {
    what: 'log-generations dies',
    faults: failing('crash before', by('log-generations')),
    minutes: 25,
    alarms: ['log-generationsErrors'],
  },
  ...CONSUMERS.map((name) => ({
    what: `${name} may not run`,
    throttled: name,
    minutes: 25,
    alarms: [`${name}Throttles`],
  })),
  { what: 'submitters are paused', faults: paused(QUEUES.submits), minutes: 40, alarms: ['submitsStuck'] },
  { what: 'pollers are paused', faults: paused(QUEUES.jobs), minutes: 40, alarms: ['jobsStuck'] },
  { what: 'deliverers are paused', faults: paused(QUEUES.events), minutes: 40, alarms: ['eventsStuck'] },
  {
    what: 'copiers are paused',
    faults: paused(QUEUES.copies),
    minutes: 130,
    alarms: ['copiesOld', 'copiesStuck'],
  },
  {
    what: 'deliverers cannot reach their tables',
    faults: failing('error', by('deliver-events')),
    minutes: 30,
    alarms: ['MessagesFailed'],
  },
  {
    what: 'sweepers cannot reach their tables',
    faults: failing('error', by(...SWEEPERS)),
    minutes: 190,
    submits: 0,
    alarms: SWEEPERS.map((name) => `${name}Errors`),
  },
  {
    what: 'sweepers are paused and forgotten',
    stopped: SWEEPERS,
    minutes: 190,
    submits: 0,
    alarms: SWEEPERS.map((name) => `${name}Stopped`),
  },
  {
    what: 'a provider refuses the stage’s key',
    vendor: ({ ProviderError }) => ({
      submit: async () => {
        throw new ProviderError('credential', 'no such key');
      },
    }),
    minutes: 10,
    alarms: ['sandboxKeyRefused'],
  },
  {
    what: 'a provider fails',
    vendor: () => ({ poll: async () => ({ state: 'failed', reason: 'no' }) }),
    minutes: 20,
    alarms: ['sandboxFails'],
  },
  {
    what: 'a provider that was to call does not',
    // By its own name the sandbox is asked to call only where the stage is a local run.
    vendor: () => ({ name: 'fal', manners: { ...manners.sandbox, callback: 'plain' } }),
    minutes: 20,
    alarms: ['sandboxCallsStopped'],
  },
  {
    what: 'a provider charges too much',
    vendor: () => ({ poll: async () => made(5_000_000) }),
    minutes: 10,
    alarms: ['Underpriced'],
  },
  ...Object.entries(TABLES).map(([name, path]) => ({
    what: `the ${name} table is throttled`,
    faults: failing('throttled', (call) => JSON.stringify(call.input).includes(`"${path}"`)),
    submits: 5,
    minutes: 20,
    alarms: [`${name}TableThrottled`],
  })),
  {
    what: 'somebody damages a job’s row',
    vendor: () => ({ poll: async () => ({ state: 'running' }) }),
    damage: async (stage) => {
      const { id } = v.parse(jobSchema, await stage.submit());
      await change(stage, TABLES.jobs, { id }, 'phase');
    },
    minutes: 150,
    submits: 0,
    alarms: ['Quarantined', 'Unreadable'],
  },
  {
    what: 'somebody changes an account',
    damage: async (stage) => {
      const account = workspaceAccount(stage.workspace);
      await change(stage, TABLES.accounts, { account }, 'reserved');
    },
    // The reconciler skips an account that changes all the time.
    minutes: 1,
    quiet: 70,
    alarms: ['Contradictions'],
  },
];

let script: InstanceScript;
beforeAll(async () => {
  script = await bundleFunctions();
});

test.each(DRILLS)('if $what: $alarms', async (drill) => {
  const { faults, vendor, stopped = [], throttled, minutes, quiet = 0, submits = 1, damage, alarms } = drill;
  const stage = await AlarmedStage.open(script);
  if (vendor !== undefined) stage.vendor = vendor;
  const requests = () =>
    Promise.all([...Array.from({ length: submits }, stage.submit), stage.ask('list-videos')]);
  await stage.run(5, requests);
  // A new stage has no sweeps to show for the time before it was there.
  stage.fired.clear();
  await damage?.(stage);
  if (faults !== undefined) stage.faults = faults;
  stage.cloud.throttled = throttled;
  for (const name of stopped) stage.swept.delete(name);
  await stage.run(minutes, requests);
  await stage.run(quiet);
  stage.cloud.stop();
  const fired = [...stage.fired];
  expect(fired).toEqual(alarms.length === 0 ? [] : expect.arrayContaining([...alarms]));
});

test('every alarm that the stage’s own work can raise is raised', async () => {
  const raised = DRILLS.flatMap(({ alarms }) => alarms);
  const { rules, cloud } = await AlarmedStage.open(script);
  cloud.stop();
  const isRaised = (id: string) => raised.includes(id) || SEEN_FROM_OUTSIDE.includes(id);
  expect(rules.map(({ id }) => id).filter((id) => !isRaised(id))).toEqual([]);
});

function made(costMicros: number) {
  const outputs = [{ kind: 'url' as const, url: 'https://vendor.com/result.mp4' }];
  return { state: 'succeeded' as const, outputs, costMicros: micros(costMicros) };
}

async function change({ world }: AlarmedStage, TableName: string, Key: object, field: string): Promise<void> {
  await world.startProcess('somebody').dynamo.send(
    new UpdateCommand({
      TableName,
      Key: { ...Key },
      UpdateExpression: 'SET #field = :value',
      ExpressionAttributeNames: { '#field': field },
      ExpressionAttributeValues: { ':value': 77 },
    }),
  );
}
