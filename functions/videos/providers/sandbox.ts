import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { manners } from './manners.ts';
import {
  type FrameImage,
  type InputBytes,
  type InputReference,
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderRef,
  type ProviderState,
  type Submission,
  type VideoProvider,
} from './provider.ts';
import type { Clip } from './sandbox/render-clip.ts';
import {
  directivesSchema,
  parseDirectives,
  type SandboxWork,
  secondsOf,
  stateAt,
  throwSubmitFault,
} from './sandbox-behaviour.ts';
import { vendorApi } from './vendor-api.ts';

/**
 * A provider that needs no provider: it makes real, playable MP4 files without a key, a network or any state, and fails
 * on demand in every way that a provider can (`sandbox-behaviour.ts`).
 */
export const sandboxProvider: VideoProvider = {
  name: 'sandbox',
  manners: manners.sandbox,

  async submit(job: ProviderJob, context: ProviderContext): Promise<Submission> {
    const directives = parseDirectives(job.options);
    const asked = clipOf(job);
    assertDrawable(asked);
    const now = context.now();
    throwSubmitFault(directives, job.id, now);
    const clip = { ...asked, ...(await takeInputs(job, context)) };
    await askForCall(job, secondsOf(clip, directives), context);
    return { ref: toRef(now, clip, job.options), upstreamId: `sandbox-${job.id}` };
  },

  async poll(ref: ProviderRef, context: ProviderContext): Promise<ProviderState> {
    return stateAt(fromRef(ref), context.now(), context.signal);
  },

  /** Nothing runs until a result is read, so unfinished work ends when nobody polls it any more. */
  async cancel(ref: ProviderRef, context: ProviderContext) {
    const { state } = stateAt(fromRef(ref), context.now(), context.signal);
    return state === 'queued' || state === 'running' ? 'cancelled' : 'not_possible';
  },
};

const localRun = vendorApi({ base: 'http://127.0.0.1', errors: () => undefined });

/**
 * A function cannot wait for the end of its work, so the local run calls in its place, and its settings name the address
 * for that (`local/edge/sandbox-calls.ts`). A call that it does not promise is one that gets lost.
 */
async function askForCall({ callbackUrl: url }: ProviderJob, seconds: number, context: ProviderContext) {
  if (url === undefined || context.settings.base_url === undefined) return;
  const query = new URLSearchParams({ url, seconds: String(seconds) });
  await localRun(context)
    .send('POST', `sandbox-calls?${query}`)
    .catch(() => undefined);
}

/**
 * Reads inputs as a provider would, and keeps the frames that can be drawn. It does not fetch other addresses, because the
 * sandbox needs no network.
 */
async function takeInputs(
  job: ProviderJob,
  { inputs }: ProviderContext,
): Promise<Pick<Clip, 'plates' | 'frames'>> {
  const { frameImages, inputReferences, source } = job;
  const isOwn = ({ url }: { readonly url: string }) => URL.parse(url)?.protocol !== 'https:';
  const others = [...inputReferences, ...(source === undefined ? [] : [source])].filter(isOwn);
  await Promise.all(others.map(({ url }) => inputs.read(url)));
  const frames: { first_frame?: string; last_frame?: string } = {};
  const named: FrameImage[] = [];
  for (const frame of frameImages) {
    const drawn = isOwn(frame) ? await drawnOf(await inputs.read(frame.url)) : undefined;
    if (drawn === undefined) named.push(frame);
    else frames[frame.frameType] = drawn;
  }
  return { plates: inputPlates({ ...job, frameImages: named }), frames };
}

async function drawnOf(input: InputBytes): Promise<string | undefined> {
  // Loaded when it is needed: few jobs have frames.
  const { smallPicture } = await import('./sandbox/input-picture.ts');
  return smallPicture(input);
}

/** The widest picture is 21:9 at 1080p; below 64 pixels nothing written in a picture can be read. */
const SMALLEST_SIDE = 64;
const LARGEST_SIDE = 2560;
const LARGEST_SHORT_SIDE = 1080;
const LONGEST_SECONDS = 15;

/** Throws `refused` for a clip that cannot be drawn exactly as asked, within bounded time and memory. */
function assertDrawable({ width, height, durationSeconds }: Omit<Clip, 'plates'>): void {
  const sides = [width, height];
  const drawable =
    sides.every((side) => side % 2 === 0 && side >= SMALLEST_SIDE && side <= LARGEST_SIDE) &&
    Math.min(...sides) <= LARGEST_SHORT_SIDE;
  if (!drawable) {
    const supported = `an even width and height from ${SMALLEST_SIDE} to ${LARGEST_SIDE} pixels, the shorter side at most ${LARGEST_SHORT_SIDE}`;
    throw new ProviderError(
      'refused',
      `size: ${width}x${height} is not supported by the sandbox; supported: ${supported}`,
    );
  }
  if (!(durationSeconds > 0 && durationSeconds <= LONGEST_SECONDS)) {
    throw new ProviderError(
      'refused',
      `duration: ${durationSeconds} is not supported by the sandbox; supported: up to ${LONGEST_SECONDS} s`,
    );
  }
}

/** A picture has no room for more of a prompt, and the ref is stored with the job. */
const PROMPT_EXCERPT = 400;

const refSchema = v.object({
  accepted_at: v.pipe(v.string(), v.isoTimestamp()),
  model: v.string(),
  prompt: v.string(),
  width: v.number(),
  height: v.number(),
  duration_seconds: v.number(),
  seed: v.number(),
  generate_audio: v.boolean(),
  plates: v.array(v.string()),
  /** Jobs that were accepted before frames were drawn have none. */
  frames: v.optional(
    v.strictObject({ first_frame: v.exactOptional(v.string()), last_frame: v.exactOptional(v.string()) }),
    {},
  ),
  options: directivesSchema,
});

/** The clip that a job asks for. Without a seed the job's id gives one, so that jobs differ and retries do not. */
function clipOf(job: ProviderJob): Omit<Clip, 'plates' | 'frames'> {
  return {
    model: job.upstreamModel,
    prompt: excerpt(job.prompt),
    width: job.width,
    height: job.height,
    durationSeconds: job.durationSeconds,
    seed: job.seed ?? createHash('sha256').update(job.id).digest().readUInt32BE() % 2 ** 31,
    generateAudio: job.generateAudio,
  };
}

/** `options` are the directives as they were sent, already checked. */
function toRef(acceptedAt: Date, clip: Clip, options: ProviderJob['options']): ProviderRef {
  return {
    accepted_at: acceptedAt.toISOString(),
    model: clip.model,
    prompt: clip.prompt,
    width: clip.width,
    height: clip.height,
    duration_seconds: clip.durationSeconds,
    seed: clip.seed,
    generate_audio: clip.generateAudio,
    plates: clip.plates,
    frames: { ...clip.frames },
    options,
  };
}

/** Throws `refused` for a ref that `toRef` did not make: no later poll could read it either. */
function fromRef(ref: ProviderRef): SandboxWork {
  const result = v.safeParse(refSchema, ref);
  if (!result.success) {
    throw new ProviderError('refused', 'The sandbox does not have this job', {
      cause: new v.ValiError(result.issues),
    });
  }
  const { accepted_at, duration_seconds, generate_audio, options, ...clip } = result.output;
  return {
    acceptedAt: new Date(accepted_at),
    clip: { ...clip, durationSeconds: duration_seconds, generateAudio: generate_audio },
    directives: options,
  };
}

function excerpt(prompt: string): string {
  const flowed = prompt.trim().replace(/\s+/g, ' ');
  return [...flowed].slice(0, PROMPT_EXCERPT).join('');
}

/** One line for each kind of input, written into the clip to show that it arrived. */
export function inputPlates({
  frameImages,
  inputReferences,
  source,
}: Pick<ProviderJob, 'frameImages' | 'inputReferences' | 'source'>): string[] {
  const plates = frameImages.map(({ frameType, url }) => `${frameType} ${origin(url)}`.trim());
  if (inputReferences.length > 0) plates.push(`input_references ${countKinds(inputReferences)}`);
  if (source !== undefined) plates.push(`${source.continuation} ${source.url}`);
  return plates;
}

/** The media type of inline data, else the host: a whole URL may carry a signature. */
function origin(url: string): string {
  const inlineType = /^(?:data|inline):([\w.+/-]{1,60})/.exec(url)?.[1];
  if (inlineType !== undefined) return inlineType;
  return URL.canParse(url) ? new URL(url).host : '';
}

function countKinds(references: readonly InputReference[]): string {
  const kinds = [...new Set(references.map(({ kind }) => kind))];
  return kinds
    .map((kind) => `${references.filter((reference) => reference.kind === kind).length} ${kind}`)
    .join(', ');
}
