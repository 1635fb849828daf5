import * as v from 'valibot';
import { jsonObjectSchema } from '../providers/json-object.ts';

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
