import * as v from 'valibot';
import { count } from '../../http/answer-schemas.ts';
import { NotFound } from '../../http/errors.ts';
import type { ShownModel } from './model-view.ts';

/** Here, so that the list of routes does not load the view of a model. */
export const PIN =
  'ID of the endpoint. To pin the endpoint, send the ID as `model` or, if the model has the same ID, in `provider.only`';

/** A model and its endpoints as clients read them that know models of every kind. What only text has is null, or none. */

const modalities = v.array(v.picklist(['text', 'image', 'audio', 'video']));
const nothing = v.null();
const never = v.pipe(v.boolean(), v.description('Always false'));

const architectureSchema = v.object({
  modality: v.pipe(
    v.string(),
    v.description('Inputs and outputs in one string, such as `text+image->video`'),
  ),
  input_modalities: modalities,
  output_modalities: modalities,
  instruct_type: nothing,
  tokenizer: nothing,
});

const prices = {
  pricing: v.pipe(
    v.object({
      prompt: v.pipe(
        v.string(),
        v.description(
          'Price per token of the prompt and the images, in USD. `0` if these tokens are not billed. For a model, the lowest price among the endpoints that bill these tokens',
        ),
      ),
      completion: v.pipe(v.string(), v.description('Always `0`: a video has no text tokens')),
    }),
    v.description('Prices of prompt and completion tokens. `pricing_skus` has the prices of videos'),
  ),
  pricing_skus: v.pipe(
    v.record(v.string(), v.string()),
    v.description('Prices in USD, by billed unit, as in `GET /videos/models`'),
  ),
  supported_parameters: v.pipe(
    v.array(v.string()),
    v.description(
      'Fields of a submission, other than `model` and `provider`, that can change the video. With some inputs, fields such as `aspect_ratio` must be omitted',
    ),
  ),
};

const tokens = { context_length: nothing, max_completion_tokens: nothing };

const identity = {
  id: v.string(),
  name: v.string(),
  created: v.pipe(
    count,
    v.description('Time at which the model was released or added to the catalogue, in Unix seconds'),
  ),
  description: v.pipe(v.string(), v.description('Description of the model, taken from its first endpoint')),
};

/** A model of `GET /models`. */
export const listedModelSchema = v.object({
  ...identity,
  canonical_slug: v.string(),
  architecture: v.omit(architectureSchema, ['tokenizer']),
  ...prices,
  context_length: nothing,
  default_parameters: nothing,
  per_request_limits: nothing,
  supported_voices: nothing,
  hugging_face_id: nothing,
  knowledge_cutoff: nothing,
  expiration_date: v.pipe(
    v.nullable(v.string()),
    v.description('Latest retirement date among the endpoints of the model. Null if any endpoint has none'),
  ),
  top_provider: v.object({ ...tokens, is_moderated: v.boolean() }),
  links: v.object({
    details: v.pipe(
      v.string(),
      v.description('Path of the model’s endpoints: `/api/v1/models/<id>/endpoints`'),
    ),
  }),
});

/** An endpoint in the answers of `GET /models/{author}/{slug}/endpoints` and `GET /endpoints/zdr`. */
export const listedEndpointSchema = v.object({
  name: v.string(),
  model_id: v.string(),
  model_name: v.string(),
  provider_name: v.string(),
  tag: v.pipe(v.string(), v.description(PIN)),
  status: v.pipe(v.picklist([0, -1]), v.description('`0`: available; `-1`: resting')),
  ...prices,
  ...tokens,
  context_length: v.pipe(
    v.literal(0),
    v.description('Always 0: video models have no context length in tokens'),
  ),
  max_prompt_tokens: nothing,
  quantization: nothing,
  service_tier: nothing,
  latency_last_30m: nothing,
  throughput_last_30m: nothing,
  uptime_last_1d: nothing,
  uptime_last_30m: nothing,
  uptime_last_5m: nothing,
  native_tools: v.record(v.string(), v.string()),
  supports_diarization: v.boolean(),
  supports_implicit_caching: v.boolean(),
  supports_tool_choice: v.object({ auto: never, function: never, none: never, required: never }),
});

/** The answer of `GET /models/{author}/{slug}/endpoints`. */
export const modelEndpointsSchema = v.object({
  ...identity,
  architecture: architectureSchema,
  endpoints: v.array(listedEndpointSchema),
});

type Endpoint = ShownModel['endpoints'][number];

/** What a model and an endpoint say alike of themselves. */
type Abilities = Pick<
  ShownModel,
  'supported_frame_images' | 'supported_input_references' | 'supported_continuations' | 'seed'
> & { readonly canChooseAudio: boolean };

const ALWAYS = ['prompt', 'duration', 'resolution', 'aspect_ratio', 'size'];

const parametersOf = (abilities: Abilities): string[] => [
  ...ALWAYS,
  ...(abilities.seed ? ['seed'] : []),
  ...(abilities.canChooseAudio ? ['generate_audio'] : []),
  ...(abilities.supported_frame_images.length > 0 ? ['frame_images'] : []),
  ...(abilities.supported_input_references.length > 0 ? ['input_references'] : []),
  ...(abilities.supported_continuations.length > 0 ? ['previous_job_id', 'continuation'] : []),
];

const canChooseAudio = ({ audio }: Pick<Endpoint, 'audio'>): boolean => audio === 'toggle';

/** What a model takes and makes. */
export function modalitiesOf(model: Omit<Abilities, 'seed' | 'canChooseAudio'>) {
  const { supported_input_references: references } = model;
  const takes = {
    text: true,
    image: references.includes('image') || model.supported_frame_images.length > 0,
    audio: references.includes('audio'),
    video: references.includes('video') || model.supported_continuations.length > 0,
  };
  const inputs = (['text', 'image', 'audio', 'video'] as const).filter((kind) => takes[kind]);
  return { input_modalities: inputs, output_modalities: ['video' as const] };
}

function architectureOf(model: ShownModel) {
  const made = modalitiesOf(model);
  const modality = `${made.input_modalities.join('+')}->${made.output_modalities.join('+')}`;
  return { modality, ...made, instruct_type: null };
}

const pricesOf = (skus: Readonly<Record<string, string>>) => ({
  pricing: { prompt: skus.prompt_tokens ?? '0', completion: '0' },
  pricing_skus: { ...skus },
});

const NO_TOKENS = { context_length: null, max_completion_tokens: null };

const identityOf = ({ id, name, created, description }: ShownModel) => ({ id, name, created, description });

export const listedModel = (model: ShownModel): v.InferOutput<typeof listedModelSchema> => ({
  ...identityOf(model),
  canonical_slug: model.canonical_slug,
  architecture: architectureOf(model),
  ...pricesOf(model.pricing_skus),
  supported_parameters: parametersOf({ ...model, canChooseAudio: model.endpoints.some(canChooseAudio) }),
  context_length: null,
  default_parameters: null,
  per_request_limits: null,
  supported_voices: null,
  hugging_face_id: null,
  knowledge_cutoff: null,
  expiration_date: model.eol_at ?? null,
  // The gateway judges no prompt; providers do.
  top_provider: { ...NO_TOKENS, is_moderated: false },
  links: { details: `/api/v1/models/${model.id}/endpoints` },
});

/** @throws NotFound */
export function modelNamed(
  { author, slug }: Readonly<Record<string, string | undefined>>,
  models: readonly ShownModel[],
): ShownModel {
  const model = models.find(({ id }) => id === `${author}/${slug}`);
  if (model !== undefined) return model;
  throw new NotFound('No such model; GET /api/v1/models lists all models');
}

export const modelEndpoints = (model: ShownModel): v.InferOutput<typeof modelEndpointsSchema> => ({
  ...identityOf(model),
  architecture: { ...architectureOf(model), tokenizer: null },
  endpoints: model.endpoints.map((endpoint) => listedEndpoint(endpoint, model)),
});

export function listedEndpoint(
  endpoint: Endpoint,
  model: ShownModel,
): v.InferOutput<typeof listedEndpointSchema> {
  const { continuations = {} } = endpoint;
  const supported_continuations = model.supported_continuations.filter((each) => each in continuations);
  return {
    name: endpoint.name,
    model_id: model.id,
    model_name: model.name,
    provider_name: endpoint.provider,
    tag: endpoint.id,
    status: endpoint.status === 'available' ? 0 : -1,
    ...pricesOf(endpoint.price),
    supported_parameters: parametersOf({
      ...endpoint,
      supported_continuations,
      canChooseAudio: canChooseAudio(endpoint),
    }),
    ...NO_TOKENS,
    context_length: 0,
    max_prompt_tokens: null,
    quantization: null,
    service_tier: null,
    latency_last_30m: null,
    throughput_last_30m: null,
    uptime_last_1d: null,
    uptime_last_30m: null,
    uptime_last_5m: null,
    native_tools: {},
    supports_diarization: false,
    supports_implicit_caching: false,
    supports_tool_choice: { auto: false, function: false, none: false, required: false },
  };
}
