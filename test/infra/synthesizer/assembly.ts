import * as v from 'valibot';

const templateSchema = v.record(v.string(), v.unknown());

/** What CDK makes of a stage, as far as tests look at it. */
export const assemblySchema = v.object({
  template: templateSchema,
  /** The stacks within it, by their ids there. */
  parts: v.record(v.string(), templateSchema),
  warnings: v.array(v.string()),
  assets: v.object({
    dockerImages: v.record(
      v.string(),
      v.object({ source: v.object({ dockerBuildArgs: v.optional(v.record(v.string(), v.string())) }) }),
    ),
  }),
});
export type Assembly = v.InferOutput<typeof assemblySchema>;
