import * as v from 'valibot';

const rulesSchema = v.array(v.object({ ruleName: v.string() }));

/** CDK's report file: what its plugins found, and what constructs accept with a reason. */
export const checkReportSchema = v.object({
  pluginReports: v.array(
    v.object({ pluginName: v.string(), violations: rulesSchema, suppressedViolations: rulesSchema }),
  ),
});
export type CheckReport = v.InferOutput<typeof checkReportSchema>;
