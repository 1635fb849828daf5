import type { KeyObject } from 'node:crypto';
import type { Log } from '../../telemetry/log.ts';
import type { Job } from '../jobs/job.ts';
import type { JobPlace } from '../worker/moving-job.ts';
import { callbackToken } from './callback-token.ts';

export interface CallbackAddressPorts {
  /** Where vendors reach the stage. @default where the job's caller reached it */
  readonly origin: string | undefined;
  readonly key: () => Promise<KeyObject>;
  readonly log: Pick<Log, 'warn'>;
}

/** Where the provider may tell that a submit's work has ended; undefined where it cannot, or would not be heard. */
export type CallbackAddress = (
  job: Pick<Job, 'id' | 'submits' | 'public_url'>,
  place: Pick<JobPlace, 'provider' | 'providerName'>,
) => Promise<string | undefined>;

export const callbackAddress =
  ({ origin, key, log }: CallbackAddressPorts): CallbackAddress =>
  async ({ id, submits, public_url }, { provider, providerName }) => {
    // Vendors refuse a submit whose address is not https. The sandbox can call only on the machine of a local run.
    const isSandbox = provider.name === 'sandbox';
    const base = isSandbox ? public_url : (origin ?? public_url);
    const isReachable = base.startsWith('https:') !== isSandbox;
    if (provider.manners.callback === undefined || !isReachable) return undefined;
    try {
      const token = callbackToken({ job: id, submit: submits, provider: providerName }, await key());
      return `${base}/api/v1/callbacks/${token}`;
    } catch (error) {
      // A job without a callback is asked about more often; that is no reason not to submit it.
      log.warn('callback not asked for', { job_id: id, error });
      return undefined;
    }
  };
