import type { SQSClient } from '@aws-sdk/client-sqs';
import { type Admin, adminCommand } from '../command.ts';
import { isQueue, stateOf } from './queue-state.ts';
import { findWorkers, type Worker, workerNamed } from './worker.ts';

export const workersCommand = (admin: Admin) =>
  adminCommand('workers', 'Lists the workers: whether each runs, and the messages of its queue.', [
    'incident workers --stage prod',
  ]).action(async ({ stage }) => {
    const deployment = await admin.open(stage);
    for (const worker of await findWorkers(deployment)) {
      admin.print(await workerLine(worker, deployment.sqs));
    }
  });

export const pauseCommand = (admin: Admin) =>
  adminCommand(
    'pause',
    `Stops workers. Running calls still finish, and messages wait for up to 14 days. Jobs still reach their
deadlines: if you pause poll-videos or copy-videos for an hour or more, pause sweep-jobs too.`,
    ['incident pause poll-videos sweep-jobs --stage prod'],
  )
    .argument('<worker...>', 'a name that incident workers lists')
    .action((names, { stage }) => turn(names, stage, false, admin));

export const resumeCommand = (admin: Admin) =>
  adminCommand('resume', 'Starts paused workers again.', [
    'incident resume poll-videos sweep-jobs --stage prod',
  ])
    .argument('<worker...>', 'a name that incident workers lists')
    .action((names, { stage }) => turn(names, stage, true, admin));

async function turn(names: readonly string[], stage: string, isRunning: boolean, admin: Admin) {
  const workers = await findWorkers(await admin.open(stage));
  // Find all workers before changing one, so that a wrong name changes nothing.
  for (const worker of names.map((name) => workerNamed(name, workers))) {
    await worker.turn(isRunning);
    admin.print(`${worker.name} ${isRunning ? 'runs' : 'is paused'}`);
  }
}

/** `poll-videos       runs    3 waiting, 12 for later, 1 in flight, 0 dead letters` */
export async function workerLine({ name, isRunning, source }: Worker, sqs: SQSClient): Promise<string> {
  const line = `${name.padEnd(16)}  ${isRunning ? 'runs  ' : 'paused'}`;
  if (!isQueue(source)) return line.trimEnd();
  const { waiting, delayed, inFlight, deadLetters } = await stateOf(source, sqs);
  return `${line}  ${waiting} waiting, ${delayed} for later, ${inFlight} in flight, ${deadLetters} dead letters`;
}
