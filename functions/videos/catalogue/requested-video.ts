import * as v from 'valibot';
import type { Json } from '../providers/provider.ts';

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

/** What is asked of a provider, after the request has been fitted to the model. */
export const requestedVideoSchema = v.object({
  prompt: v.string(),
  width: v.number(),
  height: v.number(),
  duration_seconds: v.number(),
  seed: v.exactOptional(v.number()),
  generate_audio: v.boolean(),
  frame_images: v.array(v.object({ frame_type: v.picklist(['first_frame', 'last_frame']), url: v.string() })),
  input_references: v.array(v.object({ kind: v.picklist(['image', 'audio', 'video']), url: v.string() })),
  options: jsonObjectSchema,
});
export type RequestedVideo = v.InferOutput<typeof requestedVideoSchema>;
