import * as v from 'valibot';

const templateSchema = v.record(v.string(), v.unknown());

/** The parts of CDK's output that tests look at. */
export const assemblySchema = v.object({
  template: templateSchema,
  /** The nested stacks by their ids. */
  parts: v.record(v.string(), templateSchema),
});
export type Assembly = v.InferOutput<typeof assemblySchema>;

const findingsSchema = v.array(
  v.object({ ruleName: v.string(), violatingConstructs: v.array(v.object({ constructPath: v.string() })) }),
);

/** CDK's report file: what its plugins found, and what constructs accept with a reason. */
export const reportSchema = v.object({
  pluginReports: v.array(
    v.object({
      pluginName: v.string(),
      violations: findingsSchema,
      suppressedViolations: v.optional(findingsSchema, []),
    }),
  ),
});

/** A stage's templates with that report. */
export const checkedStageSchema = v.object({ ...assemblySchema.entries, ...reportSchema.entries });
export type CheckedStage = v.InferOutput<typeof checkedStageSchema>;
