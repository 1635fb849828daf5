import { putOffDelay } from './cadence.ts';
import { expireJob } from './expire-job.ts';
import { moveOn } from './move-on.ts';
import type { MovingJob } from './moving-job.ts';
import type { ProviderCall } from './provider-gate.ts';

/** How long a job waits for a provider before it goes elsewhere. */
const PATIENCE_SECONDS = 1;

const hasUntriedPlace = ({ row }: MovingJob): boolean =>
  row.phase === 'queued' && row.alternatives.some(({ tried }) => tried !== true);

/** Does one step at the job's provider, or puts it off while the provider must be left alone. */
export async function atProvider(
  job: MovingJob,
  kind: ProviderCall['kind'],
  step: () => Promise<void>,
): Promise<void> {
  const { gate, random } = job.ports;
  const call = job.call(kind);
  const { seconds, reason, isTogether } = gate.enter(call);
  if (seconds > 0) {
    if (job.isBeyondLastWord) return expireJob(job);
    if (seconds > PATIENCE_SECONDS && hasUntriedPlace(job)) {
      return moveOn(job, {
        reason: 'The provider is left alone for now',
        isForGood: false,
        waitingFor: reason,
      });
    }
    // A job that its provider has is under way, however late it is polled.
    const waitingFor = ['polling', 'copying'].includes(job.row.phase) ? {} : { waitingFor: reason };
    const delaySeconds = putOffDelay(seconds, isTogether === true ? () => 0 : random);
    return job.apply({ type: 'put_off', delaySeconds, ...waitingFor });
  }
  try {
    await step();
  } finally {
    gate.leave(call);
  }
}
