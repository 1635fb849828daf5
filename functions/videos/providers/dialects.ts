import * as v from 'valibot';
import { invalidField } from '../../http/errors.ts';
import { validate } from '../../http/validation.ts';
import { CONTINUATIONS, type Continuation } from '../catalogue/continuation.ts';
import { type Offer, offerSchema } from '../catalogue/offer.ts';
import { adapterOf, type ProvidersSettings, settingsOf } from './provider-settings.ts';

/** How the input of a model at fal differs from the most common one; each name is a field of the model's own schema. */
const fal = v.strictObject({
  /** `"5"`, `"5s"` or `5`; `none` for models of one length. */
  duration: v.optional(v.picklist(['text', 'seconds', 'number', 'none']), 'text'),
  /** `upper`: as `768P`, and not as `768p`. `lines`: as `2160p`, and not as `4k`. */
  resolution: v.optional(v.union([v.boolean(), v.picklist(['upper', 'lines'])]), false),
  /** The model to call instead when frames are given. */
  first_frame_model: v.exactOptional(v.string()),
  both_frames_model: v.exactOptional(v.string()),
  reference_model: v.exactOptional(v.string()),
  first_frame: v.optional(v.string(), 'image_url'),
  /** The first frame's name in `both_frames_model`, where that differs. */
  first_of_both: v.exactOptional(v.string()),
  last_frame: v.optional(v.string(), 'end_image_url'),
  /** The names of images, sounds and clips as references. */
  references: v.optional(v.string(), 'image_urls'),
  audio_references: v.optional(v.string(), 'audio_urls'),
  video_references: v.optional(v.string(), 'video_urls'),
  /** Whether the model can be asked for sound, and the name of that field. */
  audio: v.optional(v.boolean(), false),
  audio_field: v.optional(v.string(), 'generate_audio'),
});

/** The names of fields in a model's own schema at Replicate; most models lack some of them. */
const replicate = v.strictObject({
  duration: v.optional(v.boolean(), true),
  resolution: v.optional(v.boolean(), false),
  audio: v.optional(v.boolean(), false),
  audio_field: v.optional(v.string(), 'generate_audio'),
  /** For models that are tiers of one, told apart by `mode`. */
  mode: v.exactOptional(v.string()),
  first_frame: v.optional(v.string(), 'image'),
  last_frame: v.optional(v.string(), 'last_frame'),
  references: v.optional(v.string(), 'reference_images'),
});

/** For adapters of one such field: whether the model can be asked for sound. */
const audioOnly = v.strictObject({ audio: v.optional(v.boolean(), false) });

const runway = v.strictObject({
  audio: v.optional(v.boolean(), false),
  /** `pixels`: in `ratio`, as `1280:720`. `names`: as `16:9`, with `720p` in `resolution`. */
  shape: v.optional(v.picklist(['pixels', 'names']), 'pixels'),
  /** The family of models whose pixels are not exactly ours. */
  sizes: v.exactOptional(v.picklist(['gen-4', 'seedance-2.0', 'seedance-2.5', 'wan-3.0'])),
});

const wavespeed = v.strictObject({
  /** The model to call instead when a first frame is given. */
  first_frame_model: v.exactOptional(v.string()),
  last_frame: v.optional(v.string(), 'last_image'),
});

const dashscope = v.strictObject({
  /** The model to call instead when frames are given. */
  frame_model: v.exactOptional(v.string()),
  /** The model to call instead when references are given. */
  reference_model: v.exactOptional(v.string()),
  /** Whether the model can be asked for sound. */
  audio: v.optional(v.boolean(), false),
});

const kling = v.strictObject({
  /**
   * Models from 3.0 on are called at addresses of their own, and all their tasks are asked about at one. `omni` has one
   * address for frames, references and text.
   */
  wire: v.optional(v.picklist(['by-field', 'by-path', 'omni']), 'by-field'),
  /** The tier of the model, which sets its resolution. */
  mode: v.optional(v.picklist(['std', 'pro']), 'std'),
  /** Whether the model takes `sound`. */
  sound: v.optional(v.boolean(), false),
});

/** Most adapters read nothing of a model but what every row says. */
const none = v.strictObject({});

/**
 * The name of each adapter, with the schema of what its rows of the catalogue say to it alone. The registry has the
 * adapters themselves; who checks a row or a stage's settings loads none of them.
 */
export const dialectSchemas = {
  sandbox: none,
  'openai-videos': none,
  fal,
  replicate,
  gemini: none,
  'gemini-veo': none,
  bedrock: none,
  byteplus: none,
  runway,
  xai: audioOnly,
  minimax: none,
  dashscope,
  kling,
  luma: none,
  wavespeed,
};
export type AdapterName = keyof typeof dialectSchemas;

export const adapterNames: readonly string[] = Object.keys(dialectSchemas);

export const isAdapter = (name: string): name is AdapterName => Object.hasOwn(dialectSchemas, name);

/** What each adapter does with the source of a job; any other would make a video without it. */
const CONTINUING: Partial<Record<AdapterName, readonly Continuation[]>> = {
  sandbox: CONTINUATIONS,
  xai: CONTINUATIONS,
  byteplus: CONTINUATIONS,
  kling: ['edit'],
  runway: ['edit'],
};

/** Why a row cannot be served: its provider has no adapter, or one that does not know what the row says. */
export function offerFault(
  { provider, dialect, continuations }: Pick<Offer, 'provider' | 'dialect' | 'continuations'>,
  providers: ProvidersSettings,
): string | undefined {
  const adapter = adapterOf(provider, providers);
  if (!isAdapter(adapter)) return `names a provider without an adapter: ${provider}`;
  const unmade = CONTINUATIONS.find(
    (each) => continuations?.[each] !== undefined && CONTINUING[adapter]?.includes(each) !== true,
  );
  if (unmade !== undefined)
    return `has the continuation ${unmade}, but the adapter of ${provider} cannot ${unmade} videos`;
  return v.is(dialectSchemas[adapter], dialect)
    ? undefined
    : `has a dialect that the adapter of ${provider} does not support`;
}

/**
 * Checks a row for a running stage, by the rules of the file and one more: it must not need anything that only a
 * deployment can give.
 * @throws InvalidRequest
 */
export function checkOffer(row: unknown, providers: ProvidersSettings): Offer {
  const offer = validate(offerSchema, row);
  const { provider } = offer;
  if (settingsOf(provider, providers) === undefined) {
    const supported = Object.keys(providers);
    const rule = `${provider} is not configured on this stage; configured: ${supported.join(', ') || 'none'}`;
    throw invalidField('provider', rule, { supported });
  }
  const fault = offerFault(offer, providers);
  if (fault !== undefined) throw invalidField('provider', `the endpoint ${fault}`);
  if (adapterOf(provider, providers) === 'bedrock') {
    throw invalidField(
      'provider',
      'a Bedrock model needs an IAM permission that is granted only when the stage is deployed; add the model to videos.models in the settings of the stage, and deploy the stage',
    );
  }
  return offer;
}
