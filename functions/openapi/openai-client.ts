import * as v from 'valibot';
import { videoRequestSchema } from '../videos/catalogue/video-request.ts';
import { openaiFields } from '../videos/dialect/openai-request.ts';
import { openaiVideoSchema, openaiVideosSchema } from '../videos/dialect/openai-video.ts';
import { jsonSchema } from './json-schema.ts';
import type { SuccessStatus } from './operation.ts';

/**
 * Where an operation takes something else from OpenAI's clients, or answers them something else, than for everybody.
 */
export interface OpenaiOperation {
  /** By media type. */
  readonly body?: Readonly<Record<string, v.GenericSchema>>;
  readonly answers: Readonly<Partial<Record<SuccessStatus, v.GenericSchema>>>;
}

const { prompt, model, size } = videoRequestSchema.entries;

const videoRequest = v.intersect([videoRequestSchema, v.object(openaiFields)]);

const videoForm = v.pipe(
  v.object({
    prompt,
    model,
    seconds: v.optional(v.string()),
    size,
    input_reference: v.optional(
      v.pipe(v.string(), v.metadata({ format: 'binary' }), v.description('An image: the first frame')),
    ),
    'input_reference[image_url]': v.optional(v.string()),
    'input_reference[file_id]': v.optional(v.string()),
  }),
  v.description('Our own fields may stand beside these; those that are more than text are written as JSON'),
);

export const openaiOperations = {
  submit: {
    body: { 'multipart/form-data': videoForm, 'application/json': videoRequest },
    answers: { 202: openaiVideoSchema },
  },
  get: { answers: { 200: openaiVideoSchema } },
  list: { answers: { 200: openaiVideosSchema } },
} as const satisfies Record<string, OpenaiOperation>;

const contentOf = (schemas: Readonly<Record<string, v.GenericSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema: jsonSchema(schema) }]));

/** An extension of OpenAPI, which cannot say which client calls. Other readers should see one kind of answer only. */
export const openaiExtension = ({ body, answers }: OpenaiOperation) => ({
  'x-openai-client': {
    ...(body === undefined ? {} : { requestBody: { content: contentOf(body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        { content: contentOf({ 'application/json': schema }) },
      ]),
    ),
  },
});
