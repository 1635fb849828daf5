import * as v from 'valibot';

const templateSchema = v.record(v.string(), v.unknown());

/** The parts of CDK's output that tests look at. */
export const assemblySchema = v.object({
  template: templateSchema,
  /** The nested stacks by their ids. */
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
