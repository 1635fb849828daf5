import { CommandFailed } from '../../cli/cli.ts';
import { type Admin, adminCommand } from '../command.ts';
import { isQueue, redrive } from './queue-state.ts';
import { findWorkers, workerNamed } from './worker.ts';

export const redriveCommand = (admin: Admin) =>
  adminCommand(
    'redrive',
    `Moves the dead letters of a worker back to its queue. Fix the cause first. You can do this any number of
times: a message whose step is already done is dropped.`,
    ['incident redrive poll-videos --stage prod'],
  )
    .argument('<worker>', 'a worker with a queue: poll-videos, copy-videos, deliver-events')
    .action(async (name, { stage }) => {
      const deployment = await admin.open(stage);
      const { source } = workerNamed(name, await findWorkers(deployment));
      if (!isQueue(source)) throw new CommandFailed(`${name} has no queue, so it has no dead letters`);
      const letters = await redrive(source, deployment.sqs);
      admin.print(
        letters === 0
          ? `${name} has no dead letters`
          : `${letters} dead letters of ${name} go back to its queue`,
      );
    });
