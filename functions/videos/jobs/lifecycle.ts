import type { RetentionDays } from '../../retention-days.ts';
import type { ProviderRef } from '../providers/provider.ts';
import type { Failure } from './failure-kind.ts';
import type { Job, StoredOutput } from './job.ts';
import type { WaitReason } from './job-wait.ts';

/** Everything that can happen to a job. */
export type JobEvent =
  /** A worker is about to send the submit; until `leaseUntil` nobody else may. */
  | {
      readonly type: 'submit_begun';
      readonly leaseUntil: number;
      /** The one before has left no answer. @default false */
      readonly mayBeTaken?: boolean;
    }
  | {
      readonly type: 'accepted';
      readonly ref: ProviderRef;
      readonly upstreamId: string;
      readonly generationId: string;
      readonly delaySeconds: number;
    }
  /** Nothing was accepted for certain, or it may safely be sent again: there, and nowhere else. */
  | {
      readonly type: 'submit_deferred';
      readonly delaySeconds: number;
      readonly mayBeTaken: boolean;
      readonly waitingFor?: WaitReason;
    }
  /** Nothing was accepted for certain, and nothing will be: the job goes on to its next place. */
  | {
      readonly type: 'moved';
      readonly reason: string;
      /** It has no business there any more, now or later. */
      readonly isForGood: boolean;
      readonly delaySeconds: number;
      /** Absent where it waits for nothing. */
      readonly waitingFor?: WaitReason;
    }
  /** Nothing was learnt; the job stands where it stood, until later. */
  | { readonly type: 'put_off'; readonly delaySeconds: number; readonly waitingFor?: WaitReason }
  | { readonly type: 'progressed'; readonly progress?: number; readonly delaySeconds: number }
  /** The provider is done. */
  | { readonly type: 'made'; readonly delaySeconds: number }
  /** A worker is about to copy the result; until `leaseUntil` nobody else need. */
  | { readonly type: 'copy_begun'; readonly leaseUntil: number }
  /** What the provider made could not be had or kept: it is asked again, for fresh addresses. */
  | {
      readonly type: 'copy_failed';
      readonly reason: string;
      readonly isUnusable: boolean;
      readonly delaySeconds: number;
    }
  | {
      readonly type: 'completed';
      readonly outputs: StoredOutput[];
      readonly keptDays: RetentionDays;
      /** What the provider says it cost. @default the estimate */
      readonly costMicros?: number;
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
      /** What the provider says that it cost all the same. @default nothing */
      readonly costMicros?: number;
    };

/** And in which phases it may. */
export const LEGAL: Readonly<Record<JobEvent['type'], readonly Job['phase'][]>> = {
  // From `submitting` too: a submit whose outcome is unknown is begun again where that is safe.
  submit_begun: ['queued', 'submitting'],
  accepted: ['submitting'],
  submit_deferred: ['submitting'],
  moved: ['queued', 'submitting'],
  put_off: ['queued', 'submitting', 'polling', 'made', 'copying'],
  progressed: ['polling'],
  made: ['polling'],
  // From `copying` too: a copy that was left is begun again.
  copy_begun: ['made', 'copying'],
  copy_failed: ['copying'],
  completed: ['copying'],
  failed: ['queued', 'submitting', 'polling', 'made', 'copying'],
  expired: ['queued', 'submitting', 'polling', 'made', 'copying'],
  cancelled: ['queued', 'submitting', 'polling', 'made', 'copying'],
};
