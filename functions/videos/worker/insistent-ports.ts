import { insistently } from '../../aws/insist.ts';
import type { MovingPorts } from './moving-job.ts';

/**
 * A worker asks AWS for longer than AWS's clients do. If it gave up, its job would wait minutes for the sweeper. Each
 * write may be repeated, because it recognises its own step.
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
