import { formatUsd, type Micros } from '../../functions/money/micros.ts';
import type { Offer } from '../../functions/videos/catalogue/offer.ts';
import { priceOf } from '../../functions/videos/catalogue/price.ts';
import type { RequestedVideo } from '../../functions/videos/catalogue/requested-video.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderRef,
  type ProviderState,
  type VideoProvider,
} from '../../functions/videos/providers/provider.ts';
import { Mp4StreamCheck } from '../../functions/videos/results/mp4-structure.ts';
import { openResult } from '../../functions/videos/results/open-result.ts';

export interface TrialPorts {
  readonly provider: VideoProvider;
  /** For one exchange. */
  readonly context: () => Promise<ProviderContext>;
  /** For a download, which takes longer and needs no key. */
  readonly downloadContext: () => Promise<ProviderContext>;
  /** A new job each time, because a provider may know a job by our id. */
  readonly job: () => ProviderJob;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Tells what is under way, beside the report. */
  readonly tell: (line: string) => void;
}

/** What was seen, by topic, and how that differs from what the row and the manners say. */
export class TrialReport {
  readonly seen: [topic: string, what: string][] = [];
  readonly differences: string[] = [];

  saw(topic: string, what: string): void {
    this.seen.push([topic, what]);
  }

  expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.differences.push(otherwise);
  }
}

export interface Asked {
  readonly offer: Offer;
  readonly video: RequestedVideo;
}

type Final = Exclude<ProviderState, { state: 'queued' | 'running' }>;
const isFinal = (state: ProviderState): state is Final =>
  state.state !== 'queued' && state.state !== 'running';
type Success = Final & { readonly state: 'succeeded' };

/** How often a provider is asked that names no pace. */
const POLL_SECONDS = 5;
const DOWNLOAD_MILLISECONDS = 10 * 60_000;

/**
 * Makes the video, and compares it and its charge with the row.
 * @returns whether there is one
 * @throws ProviderError when the provider could not be asked
 */
export async function tryVideo(asked: Asked, ports: TrialPorts, report: TrialReport): Promise<boolean> {
  const began = ports.now().getTime();
  const ref = await submit(ports);
  const states = new Set<string>();
  const end = await follow(ref, asked.offer, ports, ({ state }) => states.add(state));
  const seconds = Math.round((ports.now().getTime() - began) / 1000);
  const way = [...states, end?.state ?? 'not finished'].join(', ');
  report.saw('video', `${way} after ${seconds} s`);
  if (end?.state !== 'succeeded') {
    const why =
      end === undefined
        ? 'the job did not finish by the deadline'
        : `the job ended with the status ${end.state}: ${end.reason}`;
    report.expect(false, why);
    return false;
  }
  compareCharge(asked, end.costMicros, report);
  return download(asked, end, ports, report);
}

async function submit({ provider, context, job, tell }: TrialPorts): Promise<ProviderRef> {
  const { ref, upstreamId } = await provider.submit(job(), await context());
  tell(`The provider has accepted the job ${upstreamId}`);
  return ref;
}

/** Asks until the work has ended; undefined where that takes longer than a job may. */
async function follow(
  ref: ProviderRef,
  { deadline_seconds }: Offer,
  { provider, context, now, pause }: TrialPorts,
  onState: (state: ProviderState) => void = () => undefined,
): Promise<Final | undefined> {
  const deadline = now().getTime() + deadline_seconds * 1000;
  let seconds = POLL_SECONDS;
  while (now().getTime() < deadline) {
    await pause(seconds * 1000);
    const state = await provider.poll(ref, await context()).catch(passing);
    if (state === undefined) continue;
    if (isFinal(state)) return state;
    onState(state);
    seconds = state.retryAfterSeconds ?? POLL_SECONDS;
  }
  return undefined;
}

/** What passes by itself, or so the worker assumes too. */
function passing(error: unknown): undefined {
  const kinds = ['rate_limited', 'unavailable', 'ambiguous'];
  if (!(error instanceof ProviderError && kinds.includes(error.kind))) throw error;
}

function compareCharge({ offer, video }: Asked, cost: Micros | undefined, report: TrialReport): void {
  const price = priceOf(video, offer);
  const isExact = offer.price_per_second.tokens === undefined;
  const says = isExact ? 'says' : 'says at most';
  if (cost === undefined) {
    report.saw(
      'charge',
      `not reported; the catalogue ${says} ${formatUsd(price)}: compare this price with the provider's bill`,
    );
    return;
  }
  const isRight = isExact ? cost === price : cost <= price;
  report.saw('charge', `${formatUsd(cost)}; the catalogue ${says} ${formatUsd(price)}`);
  report.expect(isRight, `the charge is ${formatUsd(cost)}, but the catalogue ${says} ${formatUsd(price)}`);
}

async function download(
  { video }: Asked,
  { outputs }: Success,
  { downloadContext, now, pause }: TrialPorts,
  report: TrialReport,
): Promise<boolean> {
  const [output] = outputs;
  report.expect(outputs.length === 1, `there are ${outputs.length} results instead of one`);
  if (output === undefined) return false;
  const structure = new Mp4StreamCheck();
  let size = 0;
  try {
    const endsAt = now().getTime() + DOWNLOAD_MILLISECONDS;
    for await (const chunk of await openResult(output, { ...(await downloadContext()), pause, endsAt })) {
      structure.push(chunk);
      size += chunk.byteLength;
    }
    structure.end();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report.saw('download', `failed after ${size} bytes`);
    report.expect(false, `the result cannot be downloaded, or is not a valid MP4 file: ${reason}`);
    return false;
  }
  const made = structure.describe();
  report.saw('download', `${size} bytes, ${describe(made)}`);
  compareVideo(video, made, report);
  return true;
}

type Made = ReturnType<Mp4StreamCheck['describe']>;

const describe = ({ width, height, durationSeconds, videoCodec, hasAudio }: Made): string =>
  [
    `${width ?? '?'}x${height ?? '?'}`,
    durationSeconds === undefined ? 'unknown duration' : `${durationSeconds.toFixed(2)} s`,
    videoCodec ?? 'unknown codec',
    hasAudio ? 'with sound' : 'silent',
  ].join(', ');

/** Vendors round a length to whole frames, and some add a few. */
const SECONDS_OF_ROUNDING = 0.5;

function compareVideo(video: RequestedVideo, made: Made, report: TrialReport): void {
  const { width, height, durationSeconds, hasAudio } = made;
  if (width !== undefined && height !== undefined) {
    const isSize = width === video.width && height === video.height;
    report.expect(isSize, `the video is ${width}x${height} instead of ${video.width}x${video.height}`);
  }
  if (durationSeconds !== undefined) {
    const isLength = Math.abs(durationSeconds - video.duration_seconds) <= SECONDS_OF_ROUNDING;
    const instead = `instead of ${video.duration_seconds} s`;
    report.expect(isLength, `the video lasts ${durationSeconds.toFixed(2)} s ${instead}`);
  }
  if (hasAudio !== undefined) {
    const instead = video.generate_audio
      ? 'is silent, but should have sound'
      : 'has sound, but should be silent';
    report.expect(hasAudio === video.generate_audio, `the video ${instead}`);
  }
}

/**
 * Begins a second job and stops it, as far as the manners say that this is possible.
 * @throws ProviderError when the provider could not be asked
 */
export async function tryCancel({ offer }: Asked, ports: TrialPorts, report: TrialReport): Promise<void> {
  const { provider, context } = ports;
  const { cancel: manners } = provider.manners;
  if (manners === undefined || provider.cancel === undefined) {
    report.saw('cancel', 'not tried: the adapter says that the provider cannot cancel');
    return;
  }
  const ref = await submit(ports);
  const first = await provider.poll(ref, await context()).catch(notListed);
  const before = first?.state ?? 'unknown';
  const outcome = await provider.cancel(ref, await context());
  const end = await follow(ref, offer, ports).catch(gone);
  const told = end === 'gone' ? 'no longer found' : (end?.state ?? 'not finished');
  const answer = outcome.replace('_', ' ');
  report.saw('cancel', `before: ${before}; cancellation: ${answer}; after: ${told}${chargeOf(end)}`);
  const mayHaveBegun = manners.until === 'begun' && before !== 'queued';
  const isStopped = end === 'gone' || end?.state === 'cancelled';
  report.expect(
    isStopped || mayHaveBegun,
    `cancelling did not stop the job; its state was ${before} before, and ${told} afterwards`,
  );
  const isForgotten = end === 'gone' && manners.staysReadable;
  report.expect(
    !isForgotten,
    'the provider no longer finds the cancelled job, but the adapter says that cancelled jobs stay readable',
  );
}

function chargeOf(end: Final | 'gone' | undefined): string {
  if (end === undefined || end === 'gone' || end.costMicros === undefined) return '';
  return `, charged ${formatUsd(end.costMicros)}`;
}

function gone(error: unknown): 'gone' {
  if (!(error instanceof ProviderError && error.isGone)) throw error;
  return 'gone';
}

/** A provider may not know for a moment what it has just accepted. */
const notListed = (error: unknown): undefined =>
  error instanceof ProviderError && error.isGone ? undefined : passing(error);
