import * as v from 'valibot';
import { FILE_ID } from '../../files/file.ts';
import { characters, jsonObject, PUBLIC_URL, text, workspaceId } from '../../http/validation.ts';
import { VIDEO_ID } from '../video-id.ts';
import { CONTINUATIONS, type EarlierVideo } from './continuation.ts';
import { ASPECT_RATIOS, RESOLUTIONS } from './frame-size.ts';
import { providerPreferences } from './provider-preferences.ts';

const isHttps = (url: string) => URL.parse(url)?.protocol === 'https:';
const isInlineImage = (url: string) => /^data:image\/[\w.+-]{1,60};base64,[A-Za-z0-9+/]+={0,2}$/.test(url);

/** For addresses; the size of inline images is limited by the body. */
const LONGEST_URL = 2048;

const isAddressOrId = (url: string) =>
  url.length <= LONGEST_URL && (isHttps(url) || FILE_ID.test(url) || VIDEO_ID.test(url));

export const imageAddress = v.pipe(
  text(),
  v.check(
    (url) => isAddressOrId(url) || isInlineImage(url),
    'must be an https URL of at most 2048 characters, a data:image/…;base64 URL, or the ID of a file (gw_file_…) or video (vid_…)',
  ),
  v.metadata({
    description:
      'An https URL, a `data:image/…;base64` URL, the ID of an uploaded file, or the ID of a completed video, whose last frame is used. An https URL must also follow the rules of `callback_url`',
  }),
);
const imageUrl = v.object({ url: imageAddress });
const mediaUrl = (id: string, says: string) =>
  v.object({
    url: v.pipe(
      text(),
      v.check(isAddressOrId, `must be an https URL of at most 2048 characters, or the ID of ${id}`),
      v.metadata({
        maxLength: LONGEST_URL,
        description: `An https URL, or the ID of ${says}. An https URL must also follow the rules of \`callback_url\``,
      }),
    ),
  });
const audioUrl = mediaUrl('a file (gw_file_…)', 'an uploaded file');
/** No type of video is accepted as a file. */
const videoUrl = mediaUrl('a video (vid_…)', 'a completed video');

const frameImage = v.object({
  type: v.literal('image_url', 'must be image_url'),
  image_url: imageUrl,
  frame_type: v.picklist(['first_frame', 'last_frame']),
});

const inputReference = v.variant('type', [
  v.object({ type: v.literal('image_url'), image_url: imageUrl }),
  v.object({ type: v.literal('audio_url'), audio_url: audioUrl }),
  v.object({ type: v.literal('video_url'), video_url: videoUrl }),
]);

/**
 * More than any model takes. With the longest prompt and options the request's row still stays below DynamoDB's 400 KB.
 */
const MOST_REFERENCES = 16;

const MOST_NOTES = 16;
/** The caller's own notes, returned with the job and its events. */
const metadata = jsonObject(
  v.pipe(
    v.record(characters(1, 64, 'its name '), characters(0, 512)),
    v.maxEntries(MOST_NOTES, `must have at most ${MOST_NOTES} members`),
    v.description('Your own strings, returned in the webhook and, except in OpenAI’s format, with the job'),
  ),
);

const LONGEST_TRACE = 2048;
const traceValue = (value: unknown): string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
/** It is in the job's row, which each poll may write. */
const trace = jsonObject(
  v.pipe(
    v.record(characters(1, 64, 'its name '), v.unknown()),
    v.check(
      (given) => Buffer.byteLength(JSON.stringify(given)) <= LONGEST_TRACE,
      `must be at most ${LONGEST_TRACE} bytes of JSON`,
    ),
    v.description(
      'Fields for the traces that the workspace broadcasts: `trace_id`, `parent_span_id`, `generation_name` (the name of the span), and your own attributes. At most 2,048 bytes of JSON. Never sent to a provider',
    ),
    v.transform((given) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, traceValue(value)])),
    ),
  ),
);
const caller = characters(1, 256);
/** Where a client cannot change the body. */
export const sessionHeader = v.object({ 'x-session-id': v.exactOptional(caller) });

const wholeSeconds = 'must be a whole number of seconds, at least 1';
const seedRule = 'must be a whole number below 2^53';

/** The shape of a submit. `misfitOf` decides which offers can do it. */
export const videoRequestSchema = v.object({
  model: v.pipe(
    characters(1, 200),
    v.description(
      'ID of a model from `GET /videos/models`, or of one of its endpoints, which then serves the job. If a model and an endpoint have the same ID, it refers to the model',
    ),
  ),
  prompt: v.pipe(characters(1, 32_000), v.description('What the video shows, or what an edit changes')),
  aspect_ratio: v.exactOptional(
    v.pipe(
      v.picklist(ASPECT_RATIOS),
      v.description(
        'Aspect ratio, as `width:height`. Each model has a default. Omit `aspect_ratio` if an input, or the video to edit or extend, determines it: see `with_inputs` of the endpoint',
      ),
    ),
  ),
  resolution: v.exactOptional(
    v.pipe(
      v.picklist(RESOLUTIONS),
      v.description(
        'Resolution. The shorter side of a `720p` video, for example, usually has 720 pixels. Each model has a default. Omit `resolution` if an input, or the video to edit or extend, determines it: see `with_inputs` of the endpoint',
      ),
    ),
  ),
  size: v.exactOptional(
    v.pipe(
      v.string('must be a string'),
      v.regex(/^\d{1,5}x\d{1,5}$/, 'must be WIDTHxHEIGHT in pixels, such as 1280x720'),
      v.description(
        '`WIDTHxHEIGHT` in pixels, one of the model’s `supported_sizes`. Send it instead of `resolution` and `aspect_ratio`. Omit it if an input or the video to continue determines the aspect ratio. With OpenAI’s `input_reference`, you can send `size` even then, but the aspect ratio of `size` has no effect',
      ),
    ),
  ),
  duration: v.exactOptional(
    v.pipe(
      v.number(wholeSeconds),
      v.safeInteger(wholeSeconds),
      v.minValue(1, wholeSeconds),
      v.description(
        'Duration in seconds, one of the model’s `supported_durations`. Each model has a default. Omit `duration` if an input, or the video to edit or extend, determines it: see `with_inputs` of the endpoint',
      ),
    ),
  ),
  seed: v.exactOptional(
    v.pipe(
      v.number(seedRule),
      v.safeInteger(seedRule),
      v.description(
        'The same seed and parameters should produce the same video. Not every provider guarantees it',
      ),
    ),
  ),
  generate_audio: v.exactOptional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description(
        'Whether the video has sound. Default: `true` if the endpoint can generate sound with the given inputs, otherwise `false`',
      ),
    ),
  ),
  frame_images: v.optional(
    v.pipe(
      v.array(frameImage, 'must be a list'),
      v.description(
        'Images for the first and the last frame, at most one of each. With frame images, `input_references` has no effect. Not allowed in a request that edits or extends a video',
      ),
    ),
    [],
  ),
  input_references: v.optional(
    v.pipe(
      v.array(inputReference, 'must be a list'),
      v.maxLength(MOST_REFERENCES, `must have at most ${MOST_REFERENCES} references`),
      v.description(
        'Images, audio clips and videos that guide the generation. Kinds that the endpoint does not accept have no effect. Not allowed in a request that edits or extends a video',
      ),
    ),
    [],
  ),
  previous_job_id: v.exactOptional(
    v.pipe(
      text(),
      v.regex(VIDEO_ID, 'must be the ID of a video (vid_…)'),
      v.description(
        'ID of the video to continue: a completed video of the same workspace. Not allowed with frames or references. The video may come from any model. Only models with an entry in `supported_continuations` can continue videos',
      ),
    ),
  ),
  continuation: v.exactOptional(
    v.pipe(
      v.picklist(CONTINUATIONS),
      v.description(
        'How to continue the video. Requires `previous_job_id`. `extend` generates the next `duration` seconds of the video. `edit` changes the video as the prompt says and keeps its duration. Defaults to `extend` if the model supports it, and otherwise to `edit`',
      ),
    ),
  ),
  provider: v.optional(
    jsonObject(
      v.pipe(
        providerPreferences,
        v.description('Which providers may serve the job, their order, and their settings'),
      ),
    ),
    {},
  ),
  callback_url: v.exactOptional(
    v.pipe(
      text(),
      v.description(
        `URL that receives a webhook when the job ends. ${PUBLIC_URL}. Defaults to the default callback URL of the workspace`,
      ),
      v.metadata({ format: 'uri' }),
    ),
  ),
  metadata: v.exactOptional(metadata),
  user: v.exactOptional(
    v.pipe(
      caller,
      v.description(
        'Your identifier for an end user, for reports, private logs and traces. Never sent to a provider',
      ),
    ),
  ),
  session_id: v.exactOptional(
    v.pipe(
      caller,
      v.description(
        'Groups requests in private logs and traces. Overrides the header `x-session-id`. Never sent to a provider',
      ),
    ),
  ),
  trace: v.exactOptional(trace),
  workspace_id: v.exactOptional(workspaceId),
});
export type VideoRequest = v.InferOutput<typeof videoRequestSchema> & {
  /** Where the video has the shape of a frame, the size says only its resolution; otherwise it would be refused. */
  readonly size_may_yield?: boolean;
  /** The completed videos among the inputs, by their ids; those that cannot be inputs are missing. */
  readonly earlier?: ReadonlyMap<string, EarlierVideo>;
};
