import * as v from 'valibot';

const templateSchema = v.record(v.string(), v.unknown());

/** The parts of CDK's output that tests look at. */
export const assemblySchema = v.object({
  template: templateSchema,
  /** The nested stacks by their ids. */
  parts: v.record(v.string(), templateSchema),
});
export type Assembly = v.InferOutput<typeof assemblySchema>;
