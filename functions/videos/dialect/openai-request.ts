import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { FILE_ID } from '../../files/file.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { isObject } from '../../http/json-body.ts';
import { text } from '../../http/validation.ts';
import { imageAddress, type VideoRequest, videoRequestSchema } from '../catalogue/video-request.ts';

const secondsRule = 'must be a whole number of seconds, at least 1, such as "4"';
const referenceRule = 'must be a file, or have either image_url or file_id';

const seconds = v.pipe(
  v.union([v.string(), v.number()], secondsRule),
  v.check((value) => /^[1-9]\d{0,5}$/.test(String(value)), secondsRule),
  v.description('The same as `duration`'),
  v.transform(Number),
);

const inputReference = v.pipe(
  v.object(
    {
      image_url: v.exactOptional(imageAddress),
      file_id: v.exactOptional(v.pipe(text(), v.regex(FILE_ID, 'must be the ID of a file (gw_file_…)'))),
    },
    referenceRule,
  ),
  v.check(({ image_url, file_id }) => (image_url === undefined) !== (file_id === undefined), referenceRule),
);

export const openaiFields = {
  seconds: v.exactOptional(seconds),
  input_reference: v.exactOptional(inputReference),
};

/**
 * A submit as OpenAI's clients, and servers of that shape, write it: with `seconds` and `input_reference`. Our own
 * fields may stand beside them.
 */
export const openaiRequestSchema = v.pipe(
  v.object({ ...videoRequestSchema.entries, ...openaiFields }),
  v.forward(
    v.check(
      (asked) => asked.seconds === undefined || asked.duration === undefined,
      'cannot be combined with duration',
    ),
    ['seconds'],
  ),
  v.transform(toVideoRequest),
);

/**
 * That service uses the image as the video's first frame, so here it is never one of several references that may be
 * ignored. Its clients send a size with every request, and most models give the video the shape of the frame.
 */
function toVideoRequest({
  seconds: duration,
  input_reference: reference,
  ...asked
}: VideoRequest & {
  readonly seconds?: number;
  readonly input_reference?: { readonly image_url?: string; readonly file_id?: string };
}): VideoRequest {
  const url = reference?.image_url ?? reference?.file_id;
  const first = { type: 'image_url', frame_type: 'first_frame' } as const;
  return {
    ...asked,
    ...defined({ duration, size_may_yield: url === undefined ? undefined : true }),
    frame_images: [...asked.frame_images, ...(url === undefined ? [] : [{ ...first, image_url: { url } }])],
  };
}

const THEIR_NAMES = new Map<unknown, string>([
  ['duration', 'seconds'],
  ['frame_images', 'input_reference'],
  ['previous_job_id', 'video'],
]);

/** A refusal of such a submit names the field that the client has written. */
export function inWrittenWords(error: unknown, body: Uint8Array): unknown {
  if (!(error instanceof InvalidRequest)) return error;
  const { path: ours } = error.metadata;
  const theirs = THEIR_NAMES.get(ours);
  if (theirs === undefined || !hasField(body, theirs)) return error;
  const message = error.message.replace(`${ours}: `, `${theirs}: `).replace(`omit ${ours}`, `omit ${theirs}`);
  return new InvalidRequest(message, { cause: error, metadata: { ...error.metadata, path: theirs } });
}

function hasField(body: Uint8Array, name: string): boolean {
  const fields: unknown = JSON.parse(Buffer.from(body).toString());
  return isObject(fields) && name in fields;
}
