import * as v from 'valibot';
import { defined } from '../defined.ts';
import { count, dataSchema, instant, usd } from '../http/answer-schemas.ts';
import { isObject } from '../http/json-body.ts';
import { microsToUsd } from '../money/micros.ts';
import { redactKeys, redactText } from '../telemetry/redaction.ts';
import { INPUT_KINDS } from '../videos/catalogue/input-limits.ts';
import type { RequestedVideo } from '../videos/catalogue/requested-video.ts';
import { JOB_STATUSES } from '../videos/jobs/job.ts';
import { FAILURE_TYPES } from '../videos/jobs/job-failure.ts';
import { shownOutputSchema } from '../videos/jobs/job-view.ts';
import type { Generation } from './generation.ts';

/** What is logged of an input: enough to recognise it, and none of its bytes. */
const loggedInputSchema = v.object({
  role: v.pipe(
    v.picklist(INPUT_KINDS),
    v.description(
      'How the job uses the input: as a frame, as a reference, or as the video to extend or edit',
    ),
  ),
  name: v.pipe(
    v.string(),
    v.description(
      'ID of a file or video, or a URL without its query. For an inline image, `inline/` and its position, such as `inline/frame-0`',
    ),
  ),
  filename: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        'Name of the uploaded file. Absent for other inputs, and if the file no longer existed when Genway logged the job',
      ),
    ),
  ),
  content_type: v.exactOptional(
    v.pipe(v.string(), v.description('Media type, such as `image/png`. Absent if unknown')),
  ),
  size_bytes: v.exactOptional(v.pipe(count, v.description('Size in bytes. Absent if unknown'))),
  sha256: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        'SHA-256 of the bytes, in hexadecimal. Absent unless the input is an image that was sent inline',
      ),
    ),
  ),
  url_sha256: v.exactOptional(
    v.pipe(v.string(), v.description('SHA-256 of the whole URL as sent, in hexadecimal')),
  ),
});
export type LoggedInput = v.InferOutput<typeof loggedInputSchema>;

/** What is logged of a generation, as it is stored and as it is shown. */
export const contentSchema = v.object({
  id: v.string(),
  job_id: v.string(),
  key_hash: v.string(),
  model: v.string(),
  endpoint: v.exactOptional(v.string()),
  provider_name: v.nullable(v.string()),
  upstream_id: v.nullable(v.string()),
  is_byok: v.boolean(),
  status: v.picklist(JOB_STATUSES),
  created_at: instant,
  accepted_at: v.nullable(instant),
  completed_at: v.nullable(instant),
  total_cost: usd,
  input: v.object({
    prompt: v.string(),
    parameters: v.object({
      width: v.number(),
      height: v.number(),
      duration: v.number(),
      seed: v.exactOptional(v.number()),
      generate_audio: v.boolean(),
      options: v.pipe(
        v.record(v.string(), v.unknown()),
        v.description(
          'The settings in `provider.options` that were passed to the provider. `…` replaces inline media, text that looks like a secret, and text in fields whose names suggest a secret, a callback or a webhook',
        ),
      ),
    }),
    media: v.array(loggedInputSchema),
    user: v.exactOptional(v.string()),
    session_id: v.exactOptional(v.string()),
    trace: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  output: v.object({
    completion: v.pipe(v.null(), v.description('Always null: a video has no text')),
    reasoning: v.null(),
    media: v.array(shownOutputSchema),
  }),
  error: v.nullable(
    v.object({
      type: v.picklist(FAILURE_TYPES),
      message: v.string(),
      retryable: v.boolean(),
      provider_name: v.nullable(v.string()),
      previous_errors: v.pipe(
        v.array(v.never()),
        v.maxLength(0),
        v.description(
          'Always empty; `GET /videos/{video}/events` lists the moves of the job to other endpoints and accounts',
        ),
      ),
      raw: v.null(),
      status: v.null(),
    }),
  ),
});
export type Content = v.InferOutput<typeof contentSchema>;

export const contentAnswerSchema = dataSchema(contentSchema);

export function contentOf(
  generation: Generation,
  request: RequestedVideo,
  media: readonly LoggedInput[],
): Content {
  const { prompt, width, height, duration_seconds, seed, generate_audio, options } = request;
  const { provider: provider_name = null } = generation;
  return {
    id: generation.id,
    job_id: generation.job_id,
    key_hash: generation.key_hash,
    model: generation.model,
    ...defined({ endpoint: generation.endpoint }),
    provider_name,
    upstream_id: generation.upstream_id ?? null,
    is_byok: generation.is_byok,
    status: generation.status,
    created_at: generation.created_at,
    accepted_at: generation.accepted_at ?? null,
    completed_at: generation.completed_at ?? null,
    total_cost: microsToUsd(generation.cost_micros),
    input: {
      prompt: promptToLog(prompt),
      parameters: {
        width,
        height,
        duration: duration_seconds,
        ...defined({ seed }),
        generate_audio,
        options: withoutSecrets(options),
      },
      media: [...media],
      ...defined({ user: generation.user, session_id: generation.session_id, trace: generation.trace }),
    },
    output: { completion: null, reasoning: null, media: generation.outputs },
    error: errorOf(generation, provider_name),
  };
}

const errorOf = ({ failure }: Generation, provider_name: string | null): Content['error'] =>
  failure === undefined ? null : { ...failure, provider_name, previous_errors: [], raw: null, status: null };

/** Names of secrets. Settings for a provider must not hold any, and sometimes do. */
const SECRET_NAME = /(?:key|token|secret|password|authorization|credential|signature)s?$|callback|webhook/i;
const CUT = '…';

/** Media within an address; its media type contains no colon. */
const INLINE_MEDIA = /(\bdata:[^,\s:]*;base64,)[A-Za-z0-9+/_=%-]+/gi;
const withoutBytes = (text: string): string => text.replace(INLINE_MEDIA, `$1${CUT}`);

/** A prompt as it was sent, without keys and media that were pasted into it. */
export const promptToLog = (prompt: string): string => withoutBytes(redactKeys(prompt));

/**
 * Settings as a caller sent them. Texts under the name of a secret are cut out; of other texts, whatever looks like a
 * secret, and media.
 */
export const withoutSecrets = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) ? withTexts(value, () => CUT) : cleaned(value),
    ]),
  );

function cleaned(value: unknown): unknown {
  if (isObject(value)) return withoutSecrets(value);
  return Array.isArray(value)
    ? value.map(cleaned)
    : withTexts(value, (text) => withoutBytes(redactText(text)));
}

/** Changes all texts of a value, at any depth. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]));
}
