import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { ProviderError, type ProviderJob, type ProviderRef } from '../provider.ts';
import type { Clip } from './clip.ts';
import { type Directives, directivesSchema } from './directives.ts';
import { inputPlates } from './picture/input-plates.ts';

/** A picture has no room for more of a prompt, and the ref is stored with the job. */
const PROMPT_EXCERPT = 400;

/** Work that the sandbox has accepted: everything from which its states and its clip are computed later. */
export interface SandboxWork {
  readonly acceptedAt: Date;
  readonly clip: Clip;
  readonly directives: Directives;
}

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
  options: directivesSchema,
});

/** The clip that a job asks for. Without a seed the job's id gives one, so that jobs differ and retries do not. */
export function clipOf(job: ProviderJob): Clip {
  return {
    model: job.upstreamModel,
    prompt: excerpt(job.prompt),
    width: job.width,
    height: job.height,
    durationSeconds: job.durationSeconds,
    seed: job.seed ?? createHash('sha256').update(job.id).digest().readUInt32BE() % 2 ** 31,
    generateAudio: job.generateAudio,
    plates: inputPlates(job.frameImages, job.inputReferences),
  };
}

/** `options` are the directives as they were sent, already checked. */
export function toRef(acceptedAt: Date, clip: Clip, options: ProviderJob['options']): ProviderRef {
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
    options,
  };
}

/** Throws `refused` for a ref that `toRef` did not make: no later poll could read it either. */
export function fromRef(ref: ProviderRef): SandboxWork {
  const result = v.safeParse(refSchema, ref);
  if (!result.success) {
    throw new ProviderError('refused', 'The sandbox does not know this work', {
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
