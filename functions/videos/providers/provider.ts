import type { Micros } from '../../money/micros.ts';
import { hiding } from '../../upstream/upstream-error.ts';
import type { Continuation } from '../catalogue/continuation.ts';
import type { AspectRatio, Resolution } from '../catalogue/frame-size.ts';
import type { Tariff } from '../catalogue/price.ts';
import type { Manners } from './manners.ts';
import type { ProviderSettings } from './provider-settings.ts';

/**
 * A provider's key. It becomes the headers of a request to the provider's own origin and nothing else: no other code can
 * read it, and neither JSON nor a log line of this object holds it.
 */
export class DecryptedKey {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @throws Error where the request would leave the provider's own origin */
  headersFor(
    url: URL,
    own: URL,
    write: (secret: string) => Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> {
    if (url.origin !== own.origin)
      throw new Error(`A provider key was about to be sent to ${url.origin} instead of ${own.origin}`);
    return write(this.#secret);
  }

  readonly hideIn = (text: string): string => hiding(this.#secret)(text);
}

/**
 * What a video provider must be able to do. Each adapter is one file; the registry names them.
 *
 * A provider's own identifiers travel as an opaque `ref`, because they differ in kind (an id, three URLs, a path and an
 * id). Only the adapter that made a ref reads it.
 */
export interface VideoProvider {
  readonly name: string;
  /** What the worker may ask of it, and when. */
  readonly manners: Manners;
  submit(job: ProviderJob, context: ProviderContext): Promise<Submission>;
  /**
   * Whether the provider has a job whose submit was never answered; for providers whose `resubmit` is `lookup`. `absent`
   * only if it was certainly not accepted and no longer can be; `unknown` where nobody can tell.
   * @throws ProviderError when there is no answer: it is asked again
   */
  lookup?(jobId: string, context: ProviderContext): Promise<Submission | 'absent' | 'unknown'>;
  /** Does not throw for an unknown state of the provider: the job counts as `running` until its deadline. */
  poll(ref: ProviderRef, context: ProviderContext): Promise<ProviderState>;
  /**
   * Asks it to stop work, if its manners say that it can. `requested` where only the next poll tells what came of it. It
   * may be asked several times, and `not_possible` may mean that it was asked before.
   */
  cancel?(ref: ProviderRef, context: ProviderContext): Promise<'cancelled' | 'requested' | 'not_possible'>;
  /**
   * Reads something that only a valid key can read, and that costs nothing. Absent where no key is used.
   * @throws ProviderError `credential` if the provider rejects the key
   */
  checkKey?(context: ProviderContext): Promise<unknown>;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type ProviderRef = { readonly [key: string]: Json };

/** A validated request, in the units that adapters translate from. */
export interface ProviderJob {
  /** Our job id, and the idempotency token where the provider takes one. */
  readonly id: string;
  /** The provider's own name of the model. */
  readonly upstreamModel: string;
  /** For adapters whose vendor says at the end what it has counted, and not what that costs. */
  readonly tariff: Tariff;
  /** What else the adapter must know of the model, from the catalogue's row; only the adapter reads it. */
  readonly dialect: { readonly [key: string]: Json };
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** The names of the same format. Without an aspect ratio the video has that of an input. */
  readonly resolution: Resolution;
  readonly aspectRatio?: AspectRatio;
  readonly durationSeconds: number;
  readonly seed?: number;
  readonly generateAudio: boolean;
  readonly frameImages: readonly FrameImage[];
  readonly inputReferences: readonly InputReference[];
  /** The video to go on with, in place of frames and references; the rows of other adapters have none. */
  readonly source?: SourceVideo;
  /** Where the provider may tell that the work has ended; absent where it is not to. */
  readonly callbackUrl?: string;
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

export interface SourceVideo {
  /** To go on where it ends, for `durationSeconds`; or to change it, as long as it is. */
  readonly continuation: Continuation;
  readonly url: string;
}

export interface ProviderContext {
  readonly settings: ProviderSettings;
  readonly inputs: ProviderInputs;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The credential for this provider; absent where it needs none. */
  readonly apiKey?: DecryptedKey;
  /** For providers within AWS; absent where nothing is submitted or polled. */
  readonly account?: OwnAccount;
}

/** The AWS account of the stage, for providers within it: they are called as our role and write into a bucket. */
export interface OwnAccount {
  /** The address of one of AWS's own APIs, by the first part of its host. */
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
   * An https address of the input that anyone can read.
   * @throws ProviderError `refused` when the input is gone
   */
  link(url: string): Promise<string>;
  /** @throws ProviderError `refused` when the input cannot be read, is too large or is not of a known type */
  read(url: string): Promise<InputBytes>;
}

export interface InputBytes {
  /** Told by the bytes, whatever the source calls them. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface Submission {
  readonly ref: ProviderRef;
  /** The provider's public name for the work that it accepted. */
  readonly upstreamId: string;
}

export type ProviderState =
  | { readonly state: 'queued' | 'running'; readonly progress?: number; readonly retryAfterSeconds?: number }
  | { readonly state: 'succeeded'; readonly outputs: readonly ProviderOutput[]; readonly costMicros?: Micros }
  | {
      readonly state: 'failed' | 'cancelled' | 'expired';
      readonly reason: string;
      readonly moderated?: boolean;
      /** The charge for cancelled work, where the provider names one. */
      readonly costMicros?: Micros;
    };

export type ProviderOutput =
  | { readonly kind: 'url'; readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'bytes'; readonly body: AsyncIterable<Uint8Array> };

/** Why a call to a provider failed, in the terms by which the job machine decides. */
export type ProviderErrorKind =
  /** The provider understood and refused: the job fails with `message`. */
  | 'refused'
  /** The prompt or an input was refused by moderation: the job fails, costs nothing, is not tried elsewhere. */
  | 'moderated'
  /** A limit of the provider is reached: the same call is made later, and does not count as a failure. */
  | 'rate_limited'
  /** Nothing was accepted for certain (connection refused, 5xx before acceptance): try again later. */
  | 'unavailable'
  /** The request may have been accepted or not (time-out, connection lost after sending). */
  | 'ambiguous'
  /** The credential is missing, wrong or without funds. */
  | 'credential';

interface ErrorDetails {
  readonly retryAfterSeconds?: number | undefined;
  readonly isOfInput?: boolean;
  readonly wasAsked?: boolean;
  readonly isGone?: boolean;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly retryAfterSeconds: number | undefined;
  /** An input of the job could not be read. */
  readonly isOfInput: boolean;
  /** Whether the provider was asked at all; otherwise this says nothing about it. */
  readonly wasAsked: boolean;
  /** The provider does not know what it was asked about, or no longer. */
  readonly isGone: boolean;

  /** `message` may be shown to the caller: it contains no credential and no internal address. */
  constructor(kind: ProviderErrorKind, message: string, options: ErrorOptions & ErrorDetails = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isOfInput = options.isOfInput ?? false;
    this.wasAsked = options.wasAsked ?? !this.isOfInput;
    this.isGone = options.isGone ?? false;
  }
}
