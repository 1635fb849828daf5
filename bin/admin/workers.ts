import { GetEventSourceMappingCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from './admin.ts';

export const workersCommand = (admin: Admin) =>
  adminCommand(
    'workers',
    'Lists workers with their state and the approximate number of messages in their queues.',
    ['incident workers --stage prod'],
  ).action(async ({ stage }) => {
    const deployment = await admin.open(stage);
    for (const worker of await findWorkers(deployment)) {
      admin.print(await workerLine(worker, deployment.sqs));
    }
  });

export const pauseCommand = (admin: Admin) =>
  adminCommand(
    'pause',
    `Pauses workers. Running invocations finish. Messages in queues are kept for 14 days. Stream records, which log-generations and
make-stills process, are kept for 6 hours. Deadlines of jobs still apply. An hour after the deadline of a job, sweep-jobs quarantines
the job if no worker has processed it since: if you pause submit-jobs, poll-videos or copy-videos for an hour or more, pause sweep-jobs
too. Likewise, if you pause deliver-events for a day or more, pause sweep-events too.`,
    ['incident pause poll-videos sweep-jobs --stage prod'],
  )
    .argument('<worker...>', 'names of workers; to list the workers, run npx genway admin incident workers')
    .action((names, { stage }) => turn(names, stage, false, admin));

export const resumeCommand = (admin: Admin) =>
  adminCommand('resume', 'Resumes paused workers.', ['incident resume poll-videos sweep-jobs --stage prod'])
    .argument('<worker...>', 'names of workers; to list the workers, run npx genway admin incident workers')
    .action((names, { stage }) => turn(names, stage, true, admin));

async function turn(names: readonly string[], stage: string, isRunning: boolean, admin: Admin) {
  const workers = await findWorkers(await admin.open(stage));
  // Find all workers before changing one, so that a wrong name changes nothing.
  for (const worker of names.map((name) => workerNamed(name, workers))) {
    await worker.turn(isRunning);
    admin.print(`${worker.name} ${isRunning ? 'is running' : 'is paused'}`);
  }
}

/** `poll-videos       running  3 waiting, 12 delayed, 1 in flight, 0 dead letters` */
export async function workerLine({ name, isRunning, source }: Worker, sqs: SQSClient): Promise<string> {
  const line = `${name.padEnd(16)}  ${isRunning ? 'running' : 'paused '}`;
  if (!isQueue(source)) return line.trimEnd();
  const { waiting, delayed, inFlight, deadLetters } = await stateOf(source, sqs);
  return `${line}  ${waiting} waiting, ${delayed} delayed, ${inFlight} in flight, ${counted(deadLetters)}`;
}

const counted = (letters: number): string => (letters === 1 ? '1 dead letter' : `${letters} dead letters`);

/** SQS hides a message while it is read, for example by a command that was stopped. */
export const noLettersOf = (name: string): string =>
  `No dead letters of ${name} were found; if another command is reading them, try again in a minute`;

export const redriveCommand = (admin: Admin) =>
  adminCommand(
    'redrive',
    `Moves the dead letters of a worker back to its queue. Fix the cause first. You can safely repeat this command:
workers drop a message whose step is already done.`,
    ['incident redrive poll-videos --stage prod'],
  )
    .argument('<worker>', 'worker with a queue: submit-jobs, poll-videos, copy-videos or deliver-events')
    .action(async (name, { stage }) => {
      const deployment = await admin.open(stage);
      const source = queueOfWorker(name, await findWorkers(deployment));
      const letters = await redrive(source, deployment.sqs);
      admin.print(
        letters === 0 ? noLettersOf(name) : `Moving ${counted(letters)} of ${name} back to its queue`,
      );
    });

/** A function without callers: it reads a queue or a stream, or runs on a schedule. */
interface Worker {
  readonly name: string;
  /** The ARN of its event source; undefined for a scheduled function. */
  readonly source: string | undefined;
  readonly isRunning: boolean;
  /** Starts or stops it. Running calls still finish. */
  turn(isRunning: boolean): Promise<void>;
}

const namesSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** All workers of a stage, in their current state. */
export function findWorkers(deployment: Deployment): Promise<Worker[]> {
  const named = (output: string) => Object.entries(v.parse(namesSchema, deployment.output(output)));
  return Promise.all([
    ...named('Feeds').map(([name, id]) => fedWorker(name, id, deployment)),
    ...named('Schedules').map(([name, schedule]) => calledWorker(name, schedule, deployment)),
  ]);
}

/** @throws CommandFailed that names the existing workers */
function workerNamed(name: string, workers: readonly Worker[]): Worker {
  const found = workers.find((worker) => worker.name === name);
  if (found !== undefined) return found;
  throw new CommandFailed(
    `There is no worker ${name}; the workers are: ${workers.map((worker) => worker.name).join(', ')}`,
  );
}

/** The ARN of a worker's queue. @throws CommandFailed for a worker without one */
export function queueOfWorker(name: string, workers: readonly Worker[]): string {
  const { source } = workerNamed(name, workers);
  if (isQueue(source)) return source;
  throw new CommandFailed(`${name} has no queue, so it has no dead letters`);
}

async function fedWorker(name: string, UUID: string, { lambda }: Deployment): Promise<Worker> {
  const { State, EventSourceArn } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
  return {
    name,
    source: EventSourceArn,
    isRunning: State !== 'Disabled' && State !== 'Disabling',
    turn: async (Enabled) => {
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    },
  };
}

async function calledWorker(name: string, Name: string, { scheduler }: Deployment): Promise<Worker> {
  const schedule = await scheduler.send(new GetScheduleCommand({ Name }));
  const { Target, FlexibleTimeWindow, ScheduleExpression, State } = schedule;
  return {
    name,
    source: undefined,
    isRunning: State !== 'DISABLED',
    turn: async (isRunning) => {
      // An update resets all fields that it does not name.
      const asItIs = { Name, Target, FlexibleTimeWindow, ScheduleExpression };
      const update = { ...asItIs, State: isRunning ? 'ENABLED' : 'DISABLED' } as const;
      await scheduler.send(new UpdateScheduleCommand(update));
    },
  };
}

const count = v.pipe(v.string(), v.transform(Number), v.integer());
const attributesSchema = v.object({
  ApproximateNumberOfMessages: count,
  ApproximateNumberOfMessagesDelayed: count,
  ApproximateNumberOfMessagesNotVisible: count,
  RedrivePolicy: v.exactOptional(
    v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() })),
  ),
});

/** How many messages a queue has in each state, as SQS counts them: approximately. */
interface QueueState {
  /** Due now. */
  readonly waiting: number;
  /** Due later. */
  readonly delayed: number;
  readonly inFlight: number;
  readonly deadLetters: number;
}

/** Only a queue has messages; other event sources of a worker do not. */
export const isQueue = (arn: string | undefined): arn is string => arn?.split(':')[2] === 'sqs';

export async function stateOf(queueArn: string, sqs: SQSClient): Promise<QueueState> {
  const queue = await attributesOf(queueArn, sqs);
  const dead = queue.RedrivePolicy && (await attributesOf(queue.RedrivePolicy.deadLetterTargetArn, sqs));
  return {
    waiting: queue.ApproximateNumberOfMessages,
    delayed: queue.ApproximateNumberOfMessagesDelayed,
    inFlight: queue.ApproximateNumberOfMessagesNotVisible,
    deadLetters: dead?.ApproximateNumberOfMessages ?? 0,
  };
}

/**
 * Starts AWS's redrive of a queue's dead letters.
 * @returns how many there were
 */
export async function redrive(queueArn: string, sqs: SQSClient): Promise<number> {
  const { RedrivePolicy } = await attributesOf(queueArn, sqs);
  if (RedrivePolicy === undefined) return 0;
  const SourceArn = RedrivePolicy.deadLetterTargetArn;
  const { ApproximateNumberOfMessages: letters } = await attributesOf(SourceArn, sqs);
  if (letters > 0) await sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
  return letters;
}

/** The URL of the queue for a queue's dead letters; undefined where it has none. */
export async function deadLetterQueue(queueArn: string, sqs: SQSClient): Promise<string | undefined> {
  const { RedrivePolicy } = await attributesOf(queueArn, sqs);
  return RedrivePolicy && urlOf(RedrivePolicy.deadLetterTargetArn, sqs);
}

async function urlOf(queueArn: string, sqs: SQSClient): Promise<string | undefined> {
  const QueueName = queueArn.split(':').at(-1) ?? '';
  return (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl;
}

async function attributesOf(queueArn: string, sqs: SQSClient) {
  const QueueUrl = await urlOf(queueArn, sqs);
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return v.parse(attributesSchema, Attributes);
}
