import { RateLimited } from '../../http/errors.ts';
import { nextLookAt } from './cadence.ts';
import type { Job } from './job.ts';

/** Callers see a change at most this long after it happened. */
const PACE_MILLISECONDS = 1000;
/** The end of a job whose provider is done is seconds away. */
const CLOSE_MILLISECONDS = 250;
/** Less than a function, and the gateway before it, have for an answer. */
const LONGEST_SECONDS = 20;

export interface AwaitPorts {
  /** The job as it is now; undefined when it is gone. */
  readonly look: () => Promise<Job | undefined>;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The granted seconds of `Prefer: wait=n` (RFC 7240 §4.3); undefined where none are asked for. */
export function wantedWait(prefer: string | undefined): number | undefined {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:$|[,;])/i.exec(prefer ?? '') ?? [];
  return seconds === undefined ? undefined : Math.min(LONGEST_SECONDS, Number(seconds));
}

/**
 * How many seconds a poll may wait: none where its workspace has used up its share of held answers, or where there is
 * nothing to wait for.
 * @param takeShare throws RateLimited when none is left
 */
export async function grantedWait(
  { phase }: Pick<Job, 'phase'>,
  seconds: number,
  takeShare: () => Promise<void>,
): Promise<number> {
  if (seconds === 0 || phase === 'settled') return seconds;
  try {
    await takeShare();
    return seconds;
  } catch (error) {
    if (error instanceof RateLimited) return 0;
    throw error;
  }
}

/** The job once its status changes, or as it is when the time is over. A job that has ended is returned at once. */
export async function awaitChange(job: Job, seconds: number, ports: AwaitPorts): Promise<Job> {
  const until = ports.now().getTime() + seconds * 1000;
  let latest = job;
  while (latest.status === job.status && latest.phase !== 'settled') {
    const left = until - ports.now().getTime();
    if (left <= 0) break;
    await ports.pause(Math.min(paceOf(latest), left));
    const found = await ports.look();
    if (found === undefined) break;
    latest = found;
  }
  return latest;
}

const paceOf = ({ phase }: Job): number =>
  phase === 'made' || phase === 'copying' ? CLOSE_MILLISECONDS : PACE_MILLISECONDS;

/** An exchange with a provider or a copy usually takes seconds; the lease says only how long it may take. */
const AT_WORK_SECONDS = 5;
/** A cancellation may end the job sooner than its next step is due. */
const LONGEST_PAUSE_SECONDS = 30;

/** The seconds until another poll by the caller is useful; undefined once the job has ended. */
export function usefulIn(job: Job, now: Date): number | undefined {
  if (job.phase === 'settled') return undefined;
  if (job.phase === 'submitting' || job.phase === 'copying') return AT_WORK_SECONDS;
  const seconds = Math.ceil((nextLookAt(job, now) - now.getTime()) / 1000);
  return Math.min(LONGEST_PAUSE_SECONDS, Math.max(1, seconds));
}
