import { type LeavePorts, stepOrLeave } from '../../sweeping/leave-to-sweeper.ts';
import type { JobMessage } from '../jobs/job-queue.ts';
import type { MovingPorts } from './moving-job.ts';

export type TakeMessagePorts = MovingPorts & LeavePorts;

/** Takes a job a step further, or leaves it to the sweeper. */
export const takeMessage = <Ports extends TakeMessagePorts>(
  message: JobMessage,
  ports: Ports,
  step: (message: JobMessage, ports: Ports) => Promise<void>,
): Promise<void> => stepOrLeave(message.job_id, () => step(message, ports), ports);
