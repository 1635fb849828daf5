import type { GenericSchema } from 'valibot';
import type { AspectRatio, Resolution } from '../catalogue/frame-size.ts';
import type { ProviderSettings } from './provider-settings.ts';

/**
 * What a video provider must be able to do. One adapter a file; the registry names them.
 *
 * A provider's own identifiers travel as an opaque `ref`, because they differ in kind (an id, three
 * URLs, a path and an id); only the adapter that made a ref reads it.
 */
export interface VideoProvider {
  readonly name: string;
  /**
   * What may be done when the answer to a submit is lost: `token`, send it again under the same job id;
   * `lookup`, ask the provider by our id (`lookup` below); `none`, the job must fail, because a second submit may bill twice.
   */
  readonly resubmit: 'token' | 'lookup' | 'none';
  /** Of a row's `dialect`; without it, rows have none. */
  readonly dialect?: GenericSchema;
  submit(job: ProviderJob, context: ProviderContext): Promise<Submission>;
  /**
   * What has become of a submit whose answer was lost; for adapters whose `resubmit` is `lookup`. `absent`
   * only where it has certainly not been accepted and no longer can be; `unknown` where nobody can tell.
   * @throws ProviderError when there is no answer: it is asked again
   */
  lookup?(jobId: string, context: ProviderContext): Promise<Submission | 'absent' | 'unknown'>;
  /** Never throws for an unknown state of the provider: that is `running` until the job's deadline. */
  poll(ref: ProviderRef, context: ProviderContext): Promise<ProviderState>;
  cancel?(ref: ProviderRef, context: ProviderContext): Promise<'cancelled' | 'requested' | 'not_possible'>;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type ProviderRef = { readonly [key: string]: Json };

/** A validated request, in the units that adapters translate from. */
export interface ProviderJob {
  /** Our job id: the idempotency token where the provider takes one. */
  readonly id: string;
  /** The provider's own name of the model. */
  readonly upstreamModel: string;
  /** What else the adapter must know of the model, as the catalogue's row says; only the adapter reads it. */
  readonly dialect: { readonly [key: string]: Json };
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** The same format by its names. */
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly durationSeconds: number;
  readonly seed?: number;
  readonly generateAudio: boolean;
  readonly frameImages: readonly FrameImage[];
  readonly inputReferences: readonly InputReference[];
  /** The caller's `provider.options` block for this provider, as sent. */
  readonly options: { readonly [key: string]: Json };
}

export interface FrameImage {
  readonly frameType: 'first_frame' | 'last_frame';
  readonly url: string;
}

export interface InputReference {
  readonly kind: 'image' | 'audio' | 'video';
  readonly url: string;
}

export interface ProviderContext {
  readonly settings: ProviderSettings;
  readonly inputs: ProviderInputs;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The credential for this provider; absent where it needs none. */
  readonly apiKey?: string;
  /** Absent where nothing is submitted or polled. */
  readonly account?: OwnAccount;
}

/** The AWS account of the stage, for providers within it: called as our role, they write into a bucket. */
export interface OwnAccount {
  /** Of one of AWS's own APIs, by its host's first part. */
  address(service: string): string;
  /** `fetch`, signed as our role for the service of that name. */
  signed(fetch: typeof globalThis.fetch, service: string): typeof globalThis.fetch;
  /** Where results may be written. */
  readonly bucket: string;
  /** An https address of what was written there. */
  link(key: string): Promise<string>;
}

/** The images, sounds and clips that a job names, in the form that a provider wants them in. */
export interface ProviderInputs {
  /**
   * An https address that answers with the input, to anyone who has the address.
   * @throws ProviderError `refused` when the input is gone
   */
  link(url: string): Promise<string>;
  /** @throws ProviderError `refused` when the input cannot be read, is too large or is not of a known type */
  read(url: string): Promise<InputBytes>;
}

export interface InputBytes {
  /** As the bytes say, whatever the source called them. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface Submission {
  readonly ref: ProviderRef;
  /** The provider's public name of the work it accepted. */
  readonly upstreamId: string;
}

export type ProviderState =
  | { readonly state: 'queued' | 'running'; readonly progress?: number; readonly retryAfterSeconds?: number }
  | { readonly state: 'succeeded'; readonly outputs: readonly ProviderOutput[]; readonly costMicros?: number }
  | {
      readonly state: 'failed' | 'cancelled' | 'expired';
      readonly reason: string;
      readonly moderated?: boolean;
      /** Of work that was cancelled, where the provider says what it costs all the same. */
      readonly costMicros?: number;
    };

export type ProviderOutput =
  | { readonly kind: 'url'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'bytes'; readonly body: AsyncIterable<Uint8Array> };

/** Why a call to a provider failed, in the terms the job machine decides by. */
export type ProviderErrorKind =
  /** The provider understood and said no: the job fails with `message`. */
  | 'refused'
  /** The prompt or an input was refused by moderation: the job fails, costs nothing, is not tried elsewhere. */
  | 'moderated'
  /** Over a limit of the provider: the same call later, without counting as a failure. */
  | 'rate_limited'
  /** Nothing was accepted for certain (connection refused, 5xx before acceptance): try again later. */
  | 'unavailable'
  /** The request may or may not have been accepted (time-out, connection lost after sending). */
  | 'ambiguous'
  /** The credential is missing, wrong or without funds. */
  | 'credential';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly retryAfterSeconds: number | undefined;
  /** It is an input of the job that cannot be had; of the provider it says nothing. */
  readonly isOfInput: boolean;

  /** `message` may be shown to the caller: no credential, no address from inside. */
  constructor(
    kind: ProviderErrorKind,
    message: string,
    options: ErrorOptions & { retryAfterSeconds?: number; isOfInput?: boolean } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isOfInput = options.isOfInput ?? false;
  }
}
