import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, NestedStack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import cdk from '../../../cdk.json' with { type: 'json' };
import { GenwayStack } from '../../../lib/genway-stack.ts';
import { stageConfig } from '../../../lib/stage/config.ts';
import { settingEntries } from '../../../lib/stage/schema.ts';
import { stageName } from '../../../lib/stage/settings/fields.ts';
import { type Assembly, assemblySchema, type CheckReport, checkReportSchema } from './answers.ts';

/** The stage that a test requests. */
export const stageSchema = v.object({
  name: v.string(),
  /** Settings that differ from the stage's own. */
  changes: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Stage = v.InferOutput<typeof stageSchema>;

/** Checks each setting alone. Rules between settings are tested elsewhere. */
const configSchema = v.strictObject({ name: stageName, ...settingEntries });

const options = {
  context: {
    // The CDK's CLI passes these switches, and some of them change the template.
    ...cdk.context,
    // Otherwise CDK would print the warnings each time.
    '@aws-cdk/core:annotationsInValidationReport': false,
    // Otherwise each synthesis would copy all bundles.
    'aws:cdk:disable-asset-staging': true,
  },
  // This validation takes ten times as long as the rest, and `npm run synth` does it anyway.
  builtinCloudFormationValidation: false,
  treeMetadata: false,
  stackTraces: false,
};

/** Builds a stage in a temporary folder, reads the result and deletes the folder. */
function build<T>(stage: Stage, read: (app: App, stack: GenwayStack, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'genway-assembly-'));
  try {
    const app = new App({ ...options, outdir: folder });
    return read(app, stackIn(app, stage), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stackIn(app: App, { name, changes }: Stage): GenwayStack {
  const config = v.parse(configSchema, { ...stageConfig(name), ...changes });
  return new GenwayStack(app, `Genway-${name}`, { config });
}

/** The templates that would be deployed. */
export const assemble = (stage: Stage): Assembly =>
  build(stage, (app, stack, folder) => {
    app.synth();
    const written = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const parts = stack.node.children.filter((child) => NestedStack.isNestedStack(child));
    return v.parse(assemblySchema, {
      template: written(stack.templateFile),
      parts: Object.fromEntries(parts.map(({ node, templateFile }) => [node.id, written(templateFile)])),
    });
  });

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
