import type { AdapterName } from './dialects.ts';

/** How a vendor treats the work that it is given, as far as the worker must know before it asks. */
export interface Manners {
  /**
   * What to do when the answer to a submit is lost. `token`: send it again under the same job id. `lookup`: ask the
   * provider by our id. `none`: let the job fail, because a second submit may be billed twice.
   */
  readonly resubmit: 'token' | 'lookup' | 'none';
  /** Absent where nothing can be cancelled. */
  readonly cancel?: CancelManners;
  /** For how many hours the address of a result works; absent where the vendor promises nothing. */
  readonly linkHours?: number;
  /**
   * How it calls the address in a submit when the work has ended: with a signature that a stage can check with public
   * keys, or without. Absent where it does not, or where nobody has seen it do so.
   */
  readonly callback?: 'signed' | 'plain';
}

export interface CancelManners {
  /** Until when work can be cancelled: while it waits, or until it has finished. */
  readonly until: 'begun' | 'finished';
  /** Whether the same request deletes finished work, and with it a result that is paid for. */
  readonly deletesFinished: boolean;
  /** Whether cancelled work can still be asked about; otherwise it is answered with a 404. */
  readonly staysReadable: boolean;
}

/** One place for what each vendor does, from its own pages or SDK as of November 2026. Adapters only translate. */
export const manners = {
  sandbox: {
    resubmit: 'token',
    cancel: { until: 'finished', deletesFinished: false, staysReadable: true },
    callback: 'signed',
  },
  /** Servers of this shape differ, so they are expected to do the worst that one of them does. */
  'openai-videos': {
    resubmit: 'none',
    cancel: { until: 'finished', deletesFinished: true, staysReadable: false },
  },
  /** Removes waiting work from its queue; work that has begun is only told to stop. */
  fal: {
    resubmit: 'none',
    cancel: { until: 'finished', deletesFinished: false, staysReadable: false },
    linkHours: 7 * 24,
    callback: 'signed',
  },
  replicate: {
    resubmit: 'none',
    cancel: { until: 'finished', deletesFinished: false, staysReadable: true },
    linkHours: 1,
    // Each account has a secret for its signatures, which the stage does not have.
    callback: 'plain',
  },
  gemini: {
    resubmit: 'none',
    cancel: { until: 'finished', deletesFinished: false, staysReadable: true },
  },
  'gemini-veo': { resubmit: 'none', linkHours: 48 },
  /** The addresses are our own, signed for each poll. */
  bedrock: { resubmit: 'token' },
  byteplus: {
    resubmit: 'none',
    cancel: { until: 'begun', deletesFinished: true, staysReadable: true },
    linkHours: 24,
    callback: 'plain',
  },
  runway: {
    resubmit: 'none',
    cancel: { until: 'finished', deletesFinished: true, staysReadable: false },
    linkHours: 24,
  },
  xai: { resubmit: 'none' },
  /** It calls back only addresses that answer a challenge within three seconds; what a missed one costs is not known. */
  minimax: {
    resubmit: 'none',
    cancel: { until: 'begun', deletesFinished: true, staysReadable: true },
  },
  dashscope: {
    resubmit: 'none',
    cancel: { until: 'begun', deletesFinished: false, staysReadable: true },
    linkHours: 24,
  },
  kling: { resubmit: 'lookup', linkHours: 30 * 24, callback: 'plain' },
  luma: { resubmit: 'none', linkHours: 1 },
  wavespeed: { resubmit: 'none' },
} as const satisfies Record<AdapterName, Manners>;
