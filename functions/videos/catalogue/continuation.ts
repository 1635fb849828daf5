import * as v from 'valibot';
import type { Misfit } from './fit.ts';
import type { Offer } from './offer.ts';
import type { VideoRequest } from './video-request.ts';

/** What becomes of a completed video: it goes on where it ends, or it is changed. The first that a model does is usual. */
export const CONTINUATIONS = ['extend', 'edit'] as const;
export type Continuation = (typeof CONTINUATIONS)[number];

const pixels = v.pipe(v.number(), v.integer(), v.minValue(1));

const continuationSchema = v.strictObject({
  source_seconds: v.pipe(
    v.strictObject({ least: v.pipe(v.number(), v.minValue(0)), most: v.pipe(v.number(), v.minValue(1)) }),
    v.description('Limits for the duration of the video to continue'),
  ),
  source_sides: v.exactOptional(
    v.pipe(
      v.strictObject({ least: pixels, most: pixels }),
      v.description('Limits for the width and the height of the video to continue, in pixels'),
    ),
  ),
  includes_source: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        'Whether an extension begins with the video to continue. If `false`, an extension is only the new part',
      ),
    ),
    false,
  ),
});

/** What a model can do with a completed video. */
export const continuationsSchema = v.record(v.picklist(CONTINUATIONS), continuationSchema);

/** What is known of a completed video that a request names, as its file says. */
export interface EarlierVideo {
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
}

export interface Source extends EarlierVideo {
  readonly jobId: string;
  readonly continuation: Continuation;
}

type Continuing = Pick<VideoRequest, 'previous_job_id' | 'continuation' | 'earlier'>;

/** The completed video that a request goes on with; undefined where it names none. */
export function sourceOf({ previous_job_id: jobId, continuation, earlier }: Continuing): Source | undefined {
  if (jobId === undefined) return undefined;
  return { ...earlier?.get(jobId), jobId, continuation: continuation ?? CONTINUATIONS[0] };
}

/** A file may be longer than the video that was asked for, and vendors count it as that. */
export const A_FEW_FRAMES = 0.1;

export const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

export function wrongSource(request: VideoRequest, offer: Offer): Misfit | undefined {
  const source = sourceOf(request);
  if (source === undefined) return { path: 'continuation', rule: () => 'requires previous_job_id' };
  const { continuation } = source;
  const refused = (rule: Misfit['rule']): Misfit => ({ path: 'previous_job_id', rule });
  const limits = offer.continuations?.[continuation];
  if (limits === undefined) return refused((name) => `${name} cannot ${continuation} a video`);
  if (request.frame_images.length + request.input_references.length > 0) {
    return refused(() => 'cannot be combined with frames or references');
  }
  const wrong = wrongLength(source, limits) ?? wrongSides(source, limits);
  return (
    wrong &&
    refused((name) => `${source.jobId} has ${wrong.has}, but ${name} can ${continuation} only ${wrong.takes}`)
  );
}

type Limits = v.InferOutput<typeof continuationSchema>;

interface WrongSource {
  readonly has: string;
  readonly takes: string;
}

function wrongLength(
  { seconds }: Source,
  { source_seconds: { least, most } }: Limits,
): WrongSource | undefined {
  if (seconds === undefined || (seconds >= least - A_FEW_FRAMES && seconds <= most + A_FEW_FRAMES)) {
    return undefined;
  }
  return { has: `a duration of ${rounded(seconds)} s`, takes: `videos of ${least} to ${most} s` };
}

function wrongSides({ width, height }: Source, { source_sides: limits }: Limits): WrongSource | undefined {
  if (limits === undefined || width === undefined || height === undefined) return undefined;
  const { least, most } = limits;
  if (Math.min(width, height) >= least && Math.max(width, height) <= most) return undefined;
  return { has: `${width}x${height} pixels`, takes: `videos with sides of ${least} to ${most} pixels` };
}
