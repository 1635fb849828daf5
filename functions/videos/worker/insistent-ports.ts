import { insist } from '../../aws/insist.ts';
import type { MovingPorts } from './moving-job.ts';

/**
 * What a worker asks of AWS, asked for longer than AWS's clients do: a worker that gives up leaves its job to the
 * sweeper, minutes later. Each write may be repeated, because it knows its own step.
 */
export function insistentPorts<Ports extends MovingPorts>(ports: Ports): Ports {
  const { jobs, steps, queueOf, eventQueue, pause } = ports;
  const insistently =
    <Arguments extends unknown[], T>(call: (...args: Arguments) => Promise<T>) =>
    (...args: Arguments) =>
      insist(() => call(...args), pause);
  return {
    ...ports,
    jobs: {
      find: insistently((id) => jobs.find(id)),
      requestOf: insistently((job) => jobs.requestOf(job)),
    },
    steps: {
      apply: insistently((job, step) => steps.apply(job, step)),
      settle: insistently((job, step, event) => steps.settle(job, step, event)),
    },
    queueOf: (phase) => ({ send: insistently((...message) => queueOf(phase).send(...message)) }),
    eventQueue: { send: insistently((...message) => eventQueue.send(...message)) },
  };
}
