import { putOffDelay } from './cadence.ts';
import { expireJob } from './expire-job.ts';
import type { MovingJob } from './moving-job.ts';
import type { ProviderCall } from './provider-gate.ts';

/** One step at the job's provider, or a later one where that has to be left alone. */
export async function atProvider(
  job: MovingJob,
  kind: ProviderCall['kind'],
  step: () => Promise<void>,
): Promise<void> {
  const { gate, random } = job.ports;
  const call = job.call(kind);
  const { seconds, reason } = gate.enter(call);
  if (seconds > 0) {
    if (job.isBeyondLastWord) return expireJob(job);
    // A job that its provider has is under way, however late it is asked after.
    const waitingFor = ['polling', 'copying'].includes(job.row.phase) ? {} : { waitingFor: reason };
    return job.apply({ type: 'put_off', delaySeconds: putOffDelay(seconds, random), ...waitingFor });
  }
  try {
    await step();
  } finally {
    gate.leave(call);
  }
}
