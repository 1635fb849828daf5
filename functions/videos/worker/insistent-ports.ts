import { insist } from '../../aws/insist.ts';
import type { AdvancePorts } from './moving-job.ts';

/**
 * What a worker asks of AWS, asked for longer than AWS's clients do: a worker that gives up leaves its job to the
 * sweeper, minutes later. Each write may be repeated, because it knows its own step.
 */
export function insistentPorts(ports: AdvancePorts): AdvancePorts {
  const { jobs, steps, jobQueue, eventQueue, keptDays, pause } = ports;
  const insistently =
    <Arguments extends unknown[], T>(call: (...args: Arguments) => Promise<T>) =>
    (...args: Arguments) =>
      insist(() => call(...args), pause);
  return {
    ...ports,
    jobs: { find: insistently((id) => jobs.find(id)) },
    steps: {
      apply: insistently((job, step) => steps.apply(job, step)),
      settle: insistently((job, step, event) => steps.settle(job, step, event)),
    },
    jobQueue: { send: insistently((...message) => jobQueue.send(...message)) },
    eventQueue: { send: insistently((...message) => eventQueue.send(...message)) },
    keptDays: insistently((workspaceId) => keptDays(workspaceId)),
  };
}
