import { SendMessageCommand, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { chosen, command, HOSTS, nat, pick, plain, type Random } from './commands.ts';
import type { Scene } from './scene.ts';
import { FORGED_CALL } from './vendor-calls.ts';
import { PROVIDER_MOODS, RECEIVER_MOODS, type Weather } from './weather.ts';

const SWEEPERS = ['sweep-jobs', 'sweep-events', 'sweep-files', 'sweep-workspaces'] as const;
const QUEUES = ['Videos-Queue', 'Videos-Copies', 'Webhooks-Queue'] as const;
const SERVICES = [undefined, undefined, 'dynamodb', 's3', 'sqs', 'kms'] as const;
/** Of accounts, reports and webhook settings. */
const HOT_KEYS = [undefined, 'credits', 'workspace#', 'key#', 'activity#', 'workspace_id'] as const;

async function redrive({ world, cloud }: Scene): Promise<void> {
  const { sqs } = world.startProcess('observer');
  for (const queue of QUEUES) {
    const name = cloud.stage.name(queue).split('/').at(-1);
    const SourceArn = `arn:aws:sqs:us-east-1:000000000000:${name}DeadLetters`;
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
  }
}

/** Sends a message that is not one of ours, or repeats an old one. */
async function forge({ world, cloud, jobs }: Scene, at: number, how: number): Promise<void> {
  const job = chosen([...jobs.all.values()], at);
  const job_id = job?.id ?? 'vid_00000000000000000000000000';
  const bodies = [
    'not JSON',
    '{}',
    JSON.stringify({ v: 9, job_id, seq: 0 }),
    JSON.stringify({ v: 1, job_id, seq: job?.seq ?? 0 }),
    JSON.stringify({ v: 1, job_id, seq: (job?.seq ?? 0) + 5 }),
    JSON.stringify({ v: 1, job_id, seq: job?.seq ?? 0, link: 'forged' }),
    JSON.stringify({ v: 1, event_id: eventIdOf(job_id), attempt: 1 + (how % 3) }),
    JSON.stringify({ v: 1, job_id: 'vid_00000000000000000000000000', seq: 1 }),
  ];
  const QueueUrl = cloud.stage.name(chosen(QUEUES, at >> 3) ?? '');
  const { sqs } = world.startProcess('observer');
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: chosen(bodies, how) ?? '' }));
}

type State = Pick<
  Weather,
  'awsRate' | 'outage' | 'hotKey' | 'queueDelay' | 'skewRate' | 'provider' | 'lostCalls'
>;

/** The weather changes. */
const change = (name: string, weight: number, draw: (random: Random) => Partial<State>) =>
  command(name, weight, draw, ({ weather }, state) => Object.assign(weather, state));

export const LOST_CALLS = change('lost calls', 2, (random) => ({ lostCalls: pick(random, [0, 0.3, 1]) }));

/** What operators do, and what happens around the stage. */
export const OPERATIONS = [
  command('sweep', 2, plain, ({ cloud }) => Promise.allSettled(SWEEPERS.map((name) => cloud.invoke(name)))),
  command('reconcile', 1, plain, ({ cloud }) => cloud.invoke('reconcile-rows').catch(() => undefined)),
  command('lose machines', 2, plain, ({ cloud }) => cloud.killAll()),
  command('deploy', 2, plain, ({ cloud }) => cloud.replaceAll()),
  command('redrive', 1, plain, redrive),
  command('expire rows', 1, plain, ({ world }) => world.dynamodb.expireRows()),
  command(
    'forged message',
    2,
    (random) => ({ at: nat(random), how: nat(random) }),
    (scene, { at, how }) => forge(scene, at, how),
  ),
  change('faults', 7, (random) => ({ awsRate: pick(random, [0, 0.01, 0.03, 0.1, 0.3]) })),
  change('outage', 2, (random) => ({ outage: pick(random, SERVICES) })),
  change('hot key', 1, (random) => ({ hotKey: pick(random, HOT_KEYS) })),
  change('late messages', 1, (random) => ({ queueDelay: pick(random, [0, 0, 10_000, 90_000]) })),
  change('wrong clocks', 2, (random) => ({ skewRate: pick(random, [0, 0, 0.2]) })),
  change('provider', 4, (random) => ({ provider: pick(random, ['well', ...PROVIDER_MOODS]) })),
  LOST_CALLS,
  FORGED_CALL,
  command(
    'receiver',
    4,
    (random) => ({ host: pick(random, HOSTS), mood: pick(random, ['well', ...RECEIVER_MOODS]) }),
    ({ weather }, { host, mood }) => weather.receivers.set(host, mood),
  ),
];
