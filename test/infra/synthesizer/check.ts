import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { build, type Stage } from './build.ts';
import { type CheckReport, checkReportSchema } from './check-report.ts';

const fileSchema = v.pipe(v.string(), v.parseJson(), checkReportSchema);

/** Runs cdk-nag's AwsSolutions on a stage. */
export const check = (stage: Stage): CheckReport =>
  build(stage, (app, _, folder) => {
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    try {
      app.synth();
    } catch {
      // A finding throws, but the report contains it anyway.
    }
    return v.parse(fileSchema, readFileSync(join(folder, 'validation-report.json'), 'utf8'));
  });
