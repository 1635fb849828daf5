import * as v from 'valibot';
import type { Json } from '../providers/provider.ts';
import { CONTINUATIONS } from './continuation.ts';

// Only the schema's own name is lazy: what `lazy` encloses is made anew for each value.
const nestedSchema: v.GenericSchema<Json> = v.lazy(() => jsonSchema);
// The commonest first: each that does not fit makes an issue before the next is tried.
const jsonSchema: v.GenericSchema<Json> = v.union([
  v.string(),
  v.number(),
  v.boolean(),
  v.null(),
  v.array(nestedSchema),
  v.record(v.string(), nestedSchema),
]);
/** The form in which a row keeps what only an adapter reads. */
export const jsonObjectSchema = v.record(v.string(), jsonSchema);

/**
 * With a continuation in place of a kind it is the completed video that the new one goes on with. Older versions do not
 * read such a row: they would make another video instead.
 */
const referenceSchema = v.object({
  kind: v.picklist(['image', 'audio', 'video', ...CONTINUATIONS]),
  url: v.string(),
  /** The length of a completed video, where its file says it. Rows of older versions have none. */
  seconds: v.exactOptional(v.number()),
});

/** What is asked of a provider, after the request has been fitted to the model. */
export const requestedVideoSchema = v.object({
  prompt: v.string(),
  width: v.number(),
  height: v.number(),
  duration_seconds: v.number(),
  seed: v.exactOptional(v.number()),
  generate_audio: v.boolean(),
  frame_images: v.array(v.object({ frame_type: v.picklist(['first_frame', 'last_frame']), url: v.string() })),
  input_references: v.array(referenceSchema),
  options: jsonObjectSchema,
});
export type RequestedVideo = v.InferOutput<typeof requestedVideoSchema>;
