import type { Micros } from '../../money/micros.ts';
import type { RetentionDays } from '../../workspaces/retention-days.ts';
import type { ProviderRef } from '../providers/provider.ts';
import type { Job, StoredOutput, WaitReason } from './job.ts';
import type { Failure } from './job-failure.ts';

/** Everything that can happen to a job. */
export type JobEvent =
  /** A worker is about to send the submit; until `leaseUntil` nobody else may. */
  | {
      readonly type: 'submit_begun';
      readonly leaseUntil: number;
      /** The submit before this one was never answered. @default false */
      readonly mayBeTaken?: boolean;
    }
  | {
      readonly type: 'accepted';
      readonly ref: ProviderRef;
      readonly upstreamId: string;
      readonly generationId: string;
      /** Absent where the provider was not asked to call back. */
      readonly callsBack?: NonNullable<Job['calls_back']>;
      readonly delaySeconds: number;
    }
  /** Nothing was accepted for certain, or it may safely be sent again: to this provider, and to no other. */
  | {
      readonly type: 'submit_deferred';
      readonly reason: string;
      readonly delaySeconds: number;
      readonly mayBeTaken: boolean;
      readonly waitingFor?: WaitReason;
    }
  /** Nothing was accepted for certain, and nothing will be: the job goes on to its next place. */
  | {
      readonly type: 'moved';
      readonly reason: string;
      /** The job must not come back to this place. */
      readonly isForGood: boolean;
      readonly delaySeconds: number;
      /** Absent where it waits for nothing. */
      readonly waitingFor?: WaitReason;
    }
  /** Nothing was learnt; the job stays where it is, until later. */
  | { readonly type: 'put_off'; readonly delaySeconds: number; readonly waitingFor?: WaitReason }
  | {
      readonly type: 'progressed';
      readonly progress?: number;
      /** The provider does not know the job any more, perhaps because it was asked to cancel it. @default false */
      readonly isMissing?: boolean;
      readonly delaySeconds: number;
    }
  /** The provider is done. */
  | { readonly type: 'made'; readonly delaySeconds: number }
  /** A worker is about to copy the result; nobody else need before `leaseUntil`. */
  | { readonly type: 'copy_begun'; readonly leaseUntil: number }
  /** The result could not be fetched or stored: the provider is asked again, for fresh addresses. */
  | {
      readonly type: 'copy_failed';
      readonly reason: string;
      readonly isUnusable: boolean;
      /** As for `progressed`. */
      readonly isMissing?: boolean;
      readonly delaySeconds: number;
    }
  | {
      readonly type: 'completed';
      readonly outputs: StoredOutput[];
      readonly keptDays: RetentionDays;
      /** The provider's charge. @default the estimate */
      readonly costMicros?: Micros;
    }
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly moderated?: boolean;
      /** @default the provider's */
      readonly failure?: Failure;
    }
  | { readonly type: 'expired'; readonly reason: string }
  | {
      readonly type: 'cancelled';
      readonly reason: string;
      /** The provider's charge in spite of the cancellation. @default nothing */
      readonly costMicros?: Micros;
    };

/** The phases in which each event may happen. */
export const LEGAL: Readonly<Record<JobEvent['type'], readonly Job['phase'][]>> = {
  // From `submitting` too: a submit without an answer is begun again where that is safe.
  submit_begun: ['queued', 'submitting'],
  accepted: ['submitting'],
  submit_deferred: ['submitting'],
  moved: ['queued', 'submitting'],
  put_off: ['queued', 'submitting', 'polling', 'made', 'copying'],
  progressed: ['polling'],
  made: ['polling'],
  // From `copying` too: an abandoned copy is begun again.
  copy_begun: ['made', 'copying'],
  copy_failed: ['copying'],
  completed: ['copying'],
  failed: ['queued', 'submitting', 'polling', 'made', 'copying'],
  expired: ['queued', 'submitting', 'polling', 'made', 'copying'],
  cancelled: ['queued', 'submitting', 'polling', 'made', 'copying'],
};
