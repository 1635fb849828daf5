import { isObject } from '../http/json-body.ts';

/** Fields that clients of the reference API read, and that videos do not have. */
const ALWAYS_NULL = 'Always null. Present because clients of the reference API read it.';

/**
 * What a field or a component means where its own schema does not say so: one text for each name, because a name means
 * the same wherever it stands. `parent.name` is for the field within that parent alone. They are here, because handlers
 * load the schemas and need no texts.
 */
export const FIELD_TEXTS: Readonly<Record<string, string>> = {
  // Components
  CurrentKey: 'The API key that sends the request, with its limits and usage.',
  Delivery: 'A webhook event and the attempts to deliver it.',
  ErrorBody: 'The body of every error.',
  FileObject: 'A file. `_shape` says which of the three forms it has.',
  FilePage: 'A page of files. `_shape` says which of the three forms it has.',
  DeletedFile: 'Confirms that a file was deleted. `_shape` says which of the two forms it has.',
  StoredFile: 'A file in the form of Genway.',
  ProviderAFile: 'A file in the form of OpenAI’s file API.',
  ProviderBFile: 'A file in the form of Anthropic’s file API.',
  StoredFilePage: 'A page of files in the form of Genway.',
  ProviderAFilePage: 'A page of files in the form of OpenAI’s file API.',
  ProviderBFilePage: 'A page of files in the form of Anthropic’s file API.',
  DeletedStoredFile: 'Confirms that a file was deleted, in the form of Genway and of Anthropic’s file API.',
  DeletedProviderAFile: 'Confirms that a file was deleted, in the form of OpenAI’s file API.',
  Key: 'An API key or a management key. The key itself is shown only when you create it.',
  ProviderKey: 'Your own key at a provider. Genway stores it encrypted and shows only its end.',
  Credits: 'The spending limit of the whole deployment, and what is left of it.',
  Budget: 'A spending limit of a workspace for one interval.',
  Webhook: 'The webhook settings of a workspace.',
  Workspace: 'A workspace. It owns files, jobs and keys, and holds the settings that they share.',
  WorkspaceRequest: 'The settings of a new workspace.',
  VideoRequest: 'The prompt, the model and the parameters of a video.',
  Video: 'A job that generates a video. Each field appears once it has a value, and is never null.',
  VideoModel: 'A model, what it supports, and the endpoints that serve it.',
  VideoGenerationCompletedEvent: 'Sent when a job has completed and its video can be downloaded.',
  VideoGenerationFailedEvent: 'Sent when a job has failed.',
  VideoGenerationCancelledEvent: 'Sent when a job was cancelled.',
  VideoGenerationExpiredEvent: 'Sent when a job did not finish before the deadline of its model.',
  WebhookTestEvent: 'Sent when you test a webhook.',

  // Identity and time
  id: 'Unique identifier of the object.',
  name: 'Display name.',
  description: 'Free text for people. Null if unset.',
  workspace_id: 'ID of the workspace (a UUID).',
  job_id: 'ID of the job (`vid_…`).',
  file_id: 'ID of an uploaded file (`gw_file_…`).',
  key_hash: 'Hash of the API key that submitted the jobs.',
  user: 'The `user` of the submit: your identifier for an end user.',
  user_id: ALWAYS_NULL,
  session_id: 'The `session_id` of the submit. Null or absent if the submit had none.',
  trace: 'The `trace` of the submit.',
  created_by: 'Who created the workspace: the hash of a management key, or `admin` for the command line.',
  creator_user_id: 'The user who created the key, as given when it was created. Null if unset.',
  created_at: 'Time of creation, in ISO 8601 (UTC).',
  updated_at: 'Time of the last change, in ISO 8601 (UTC). Null if it has never changed.',
  accepted_at: 'Time at which the provider accepted the job, in ISO 8601 (UTC). Null before that.',
  completed_at: 'Time at which the job ended, in ISO 8601 (UTC). Null or absent while it runs.',
  expires_at: 'Time of expiry, in ISO 8601 (UTC). Null or absent if it never expires.',
  timestamp: 'Time at which the job ended or the test was sent, in ISO 8601 (UTC).',
  at: 'Time of the entry, in ISO 8601 (UTC).',
  until: 'Time of the next try, in ISO 8601 (UTC).',
  date: 'The day, in UTC.',

  // Envelopes
  object: 'The type of the object.',
  type: 'The type of the object.',
  _shape: 'Which form the response has: that of Genway, or that of one of two providers’ file APIs.',
  data: 'The result: an object, or the items of this page.',
  deleted: 'Always `true`.',
  received: 'Always `true`.',
  has_more: 'Whether there are more items after this page.',
  cursor: 'Send it as `cursor` to get the next page. Null on the last page.',
  next_page: 'Send it as `page` to get the next page. Null on the last page.',
  first_id: 'ID of the first item of this page. Null if the page is empty.',
  last_id: 'ID of the last item of this page. Null if the page is empty.',
  total_count: 'Number of items on all pages.',
  service_metadata: ALWAYS_NULL,
  openapi: 'The version of OpenAPI: `3.1.0`.',
  url: 'The address. Null if none is set.',

  // Files
  filename: 'Name of the file, as it was uploaded.',
  size_bytes: 'Size in bytes.',
  bytes: 'Size in bytes.',
  content_type: 'Media type, such as `video/mp4`.',
  downloadable: 'Whether you can download the content. `false` for some files that a provider stores.',
  purpose: 'The purpose given at the upload. Genway only stores it.',
  'ProviderAFile.status': 'Always `processed`: a file is ready when its upload is answered.',

  // Jobs
  status: 'Status of the job. It never changes once the job has ended.',
  'Delivery.status': 'Status of the delivery. `no_address`: there was no address to send the event to.',
  'error.status': ALWAYS_NULL,
  'error.raw': ALWAYS_NULL,
  model: 'The model, as the request named it.',
  provider: 'Name of the provider.',
  provider_name: 'Name of the provider that served the job. Null if none accepted it.',
  endpoint: 'ID of the endpoint: a model at one provider.',
  upstream_id: 'ID of the job at the provider. Null if no provider accepted it.',
  is_byok: 'Whether the job ran on a provider key of the workspace.',
  progress: 'Progress in percent, as the provider reports it.',
  error: 'Why the job failed. Null or absent if it has not failed.',
  error_details: 'Why the job failed, for programs.',
  message: 'Why the job failed, for people.',
  retryable: 'Whether the same request may succeed another time.',
  error_type: 'The kind of error, for programs.',
  'error_details.type': 'The kind of failure. More kinds may follow.',
  'error.type': 'The kind of failure. More kinds may follow.',
  'error.code': 'The kind of failure. More kinds may follow.',
  'waiting_for.reason': 'What the job waits for. More reasons may follow.',
  'disabled.reason': 'Why deliveries stopped: `gone` (the address answered 410) or `failing`.',
  outputs: 'The videos, in the order of `unsigned_urls`.',
  usage: 'What the job cost.',
  width: 'Width in pixels.',
  height: 'Height in pixels.',
  duration: 'Duration in seconds.',
  seconds: 'Duration of the video in seconds, as text.',
  size: 'Size of the video in pixels, such as `1280x720`.',
  seed: 'Whether the model accepts a seed.',
  'parameters.seed': 'The seed of the request.',
  resolution: 'The resolution, such as `720p`.',
  aspect_ratio: 'The aspect ratio, such as `16:9`.',
  generate_audio: 'Whether the video has sound.',
  currency: 'The currency of every amount. Always `USD`.',
  detail: 'More about this step, for people.',
  image_url: 'An image.',
  audio_url: 'An audio clip.',
  video_url: 'A video.',
  frame_type: 'Whether the image is the first or the last frame of the video.',
  input_reference: 'An image that becomes the first frame of the video.',
  'input_reference[image_url]': 'URL of the image that becomes the first frame.',
  'input_reference[file_id]': 'ID of the uploaded file that becomes the first frame.',
  'video[id]': 'ID of the completed video.',
  'frame_images.type': 'Always `image_url`.',
  'input_references.type': 'The kind of the reference, which is also the name of the field that holds it.',

  // Catalogue
  canonical_slug: 'The same as `id`.',
  supported_resolutions: 'Resolutions that the model can produce.',
  supported_aspect_ratios: 'Aspect ratios that the model can produce.',
  supported_sizes: 'Every `size` that a submit may ask for.',
  supported_frame_images: 'Frames that you can give as images. Empty if the model takes none.',
  supported_input_references: 'Kinds of references that the model uses. Empty if it uses none.',
  supported_durations_by_resolution:
    'Durations in seconds, for resolutions that allow fewer than the others.',
  creativity: ALWAYS_NULL,
  upscale_factor: ALWAYS_NULL,
  defaults: 'What a submit gets for fields that it omits.',
  endpoints: 'The providers that serve the model, each with its price and its limits.',
  allowed_passthrough_parameters: 'Names that `provider.options.<provider>` may contain.',
  audio: 'Whether videos have sound: `always`, `never`, or as the submit asks (`toggle`).',
  'reference_limits.image': 'Limit for images.',
  'reference_limits.audio': 'Limit for audio clips.',
  'reference_limits.video': 'Limit for videos.',
  total: 'Maximum number of references of all kinds.',
  most: 'Maximum number.',
  'source_seconds.least': 'Minimum duration of the completed video, in seconds.',
  'source_seconds.most': 'Maximum duration of the completed video, in seconds.',
  'source_sides.least': 'Minimum length of each side of the completed video, in pixels.',
  'source_sides.most': 'Maximum length of each side of the completed video, in pixels.',
  silent: 'Price of a second of video without sound, in micro-dollars.',
  with_audio: 'Price of a second of video with sound, in micro-dollars.',
  'tokens.silent': 'Price of a token of a video without sound, in micro-dollars.',
  'tokens.with_audio': 'Price of a token of a video with sound, in micro-dollars.',
  by_resolution: 'Prices for resolutions that cost more or less than the others.',
  with_clip: 'Prices when the request includes a video.',
  price: 'Price of one input image, in micro-dollars.',
  free: 'Number of input images that cost nothing.',

  // Keys and workspaces
  is_management_key: 'Whether this is a management key, which can manage keys, workspaces and money.',
  disabled: 'Whether the key is disabled. A disabled key is refused with a 401.',
  external_user: 'Your identifier for the end user whom the key belongs to. Null if unset.',
  external: 'Where the key comes from, if another system issued it. Null if unset.',
  'external.user': 'ID of the user in the other system.',
  'external.api_key': 'ID of the key in the other system. Null if unset.',
  include_byok_in_limit: 'Whether jobs on your own provider keys count towards `limit`.',
  include_byok_in_budgets:
    'Whether jobs on your own provider keys count towards the budgets of the workspace.',
  upload: 'Uploads per minute.',
  submit: 'Submits and estimates per minute.',
  read: 'Reads per minute.',
  admin: 'Management requests per minute.',
  workspaces: 'IDs of the workspaces that the key may act in. Null: all of them.',
  operations: 'Groups of operations that the key may use. Null: all of them.',
  networks: 'Networks (CIDR) from which the key is accepted. Null: from everywhere.',
  is_provisioning_key: 'The same as `is_management_key`, for clients of the reference API.',
  is_free_tier: 'Always `false`. Present because clients of the reference API read it.',
  organization_id: ALWAYS_NULL,
  allowed_data_regions: 'Always empty. Present because clients of the reference API read it.',
  free_model_daily_requests: 'Always zeros. Present because clients of the reference API read it.',
  limit: 'Always 0.',
  used: 'Always 0.',
  remaining: 'Always 0.',
  requests: 'Always -1.',
  interval: 'The interval that the limit covers.',
  note: 'Refers to `rate_limits`.',
  default_guardrail_id: 'ID of the guardrail that applies to keys without a guardrail of their own.',
  is_data_discount_logging_enabled: 'Whether the workspace agrees to be logged for a discount.',
  is_observability_broadcast_enabled: 'Whether traces of generations are sent to the broadcast destination.',
  is_observability_io_logging_enabled: 'Whether prompts and results are logged privately.',

  guardrail_id: 'ID of the guardrail (a UUID).',
  key_name: 'Display name of the key.',
  key_label: 'Enough of the key to recognise it.',
  assigned_count: 'Number of the given keys that now have the guardrail.',
  unassigned_count: 'Number of the given keys that had the guardrail.',

  // Webhooks and broadcast
  default_callback_url: 'Where jobs without a `callback_url` report their end. Null: nowhere.',
  'signing_secrets.name': 'Name of the secret. It is not secret.',
  next_attempt_at: 'Time of the next attempt, in ISO 8601 (UTC). Null if there is none.',
  history: 'The attempts so far, oldest first.',
  keys: 'The public keys, in the form of a JSON Web Key Set.',
  crv: 'The curve. Always `Ed25519`.',
  kty: 'The key type. Always `OKP`.',
  x: 'The public key, in base64url.',
  kid: 'ID of the key.',
  use: 'Always `sig`: the key verifies signatures.',
  alg: 'The algorithm. Always `EdDSA`.',
  delivered: 'Whether the destination accepted the test.',
  milliseconds: 'How long the attempt took, in milliseconds.',

  // Reports
  jobs: 'Number of jobs.',
  completed: 'Number of jobs that completed.',
  api_type: 'Always `video`.',
  finish_reason: 'Why the job ended. Null while it runs, or if it was cancelled.',
  cancelled: 'Whether the job was cancelled.',
  streamed: 'Always `false`: videos are not streamed.',
  data_region: 'Always `global`.',
  origin: 'Always empty. Present because clients of the reference API read it.',
  input: 'What the submit contained.',
  prompt: 'The prompt.',
  parameters: 'The parameters of the video.',
  media: 'The images, audio clips and videos.',
  output: 'What the job produced.',
  reasoning: ALWAYS_NULL,
  'error.metadata': 'More about the error, for programs.',
  app_id: ALWAYS_NULL,
  cache_discount: ALWAYS_NULL,
  http_referer: ALWAYS_NULL,
  moderation_latency: ALWAYS_NULL,
  native_tokens_cached: ALWAYS_NULL,
  native_tokens_completion: ALWAYS_NULL,
  native_tokens_completion_images: ALWAYS_NULL,
  native_tokens_prompt: ALWAYS_NULL,
  native_tokens_reasoning: ALWAYS_NULL,
  num_fetches: ALWAYS_NULL,
  num_input_audio_prompt: ALWAYS_NULL,
  num_media_prompt: ALWAYS_NULL,
  num_search_results: ALWAYS_NULL,
  preset_id: ALWAYS_NULL,
  provider_responses: ALWAYS_NULL,
  request_id: ALWAYS_NULL,
  router: ALWAYS_NULL,
  service_tier: ALWAYS_NULL,
  tokens_completion: ALWAYS_NULL,
  tokens_prompt: ALWAYS_NULL,
  upstream_inference_cost: ALWAYS_NULL,
  user_agent: ALWAYS_NULL,
  web_search_engine: ALWAYS_NULL,
};

type Schema = Readonly<Record<string, unknown>>;

/** A schema with a name of its own. */
export const namedWithTexts = (name: string, schema: Schema): Schema =>
  withTexts({ description: FIELD_TEXTS[name], ...schema }, name);

/** A schema whose fields all say what they mean, in sentences. What a reference refers to says it for the reference. */
export const withTexts = (schema: Schema, parent = ''): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'description' && typeof value === 'string') return [keyword, sentence(value)];
      if (keyword === 'properties' && isObject(value)) return [keyword, described(value, parent)];
      return [
        keyword,
        Array.isArray(value) ? value.map((each) => inner(each, parent)) : inner(value, parent),
      ];
    }),
  );

const inner = (value: unknown, parent: string): unknown =>
  isObject(value) ? withTexts(value, parent) : value;

const described = (fields: Schema, parent: string): Schema =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const text = FIELD_TEXTS[`${parent}.${name}`] ?? FIELD_TEXTS[name];
      const needsText = isObject(field) && field.$ref === undefined && text !== undefined;
      return [name, inner(needsText ? { description: text, ...field } : field, name)];
    }),
  );

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
