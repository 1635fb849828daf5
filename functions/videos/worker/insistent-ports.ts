import { insistently } from '../../aws/insist.ts';
import type { MovingPorts } from './moving-job.ts';

/**
 * What a worker asks of AWS, asked for longer than AWS's clients do: a worker that gives up leaves its job to the
 * sweeper, minutes later. Each write may be repeated, because it knows its own step.
 */
export function insistentPorts<Ports extends MovingPorts>(ports: Ports): Ports {
  const { jobs, steps, queueOf, eventQueue, pause } = ports;
  const insisting = insistently(pause);
  return {
    ...ports,
    jobs: {
      find: insisting((id) => jobs.find(id)),
      requestOf: insisting((job) => jobs.requestOf(job)),
    },
    steps: {
      apply: insisting((job, step) => steps.apply(job, step)),
      settle: insisting((job, step, event) => steps.settle(job, step, event)),
    },
    queueOf: (phase) => ({ send: insisting((...message) => queueOf(phase).send(...message)) }),
    eventQueue: { send: insisting((...message) => eventQueue.send(...message)) },
  };
}
