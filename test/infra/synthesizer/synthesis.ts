import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, NestedStack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { Preflight } from 'cdk-preflight';
import * as v from 'valibot';
import cdk from '../../../cdk.json' with { type: 'json' };
import { GenwayStack } from '../../../lib/genway-stack.ts';
import { stageConfig, titleOf } from '../../../lib/stage/config.ts';
import { placeOf } from '../../../lib/stage/place.ts';
import { readSettings } from '../../../lib/stage/read-settings.ts';
import { type Assembly, assemblySchema, type CheckedStage, reportSchema } from './answers.ts';

/** The stage that a test requests. */
export const stageSchema = v.object({
  name: v.string(),
  /** Settings that differ from the stage's own; `null` removes one. */
  changes: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Stage = v.InferOutput<typeof stageSchema>;

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
  const merged = Object.entries({ ...stageConfig(name), ...changes });
  const config = readSettings(name, Object.fromEntries(merged.filter(([, value]) => value !== null)));
  return new GenwayStack(app, titleOf(config), { name, settings: config, env: placeOf(config, {}) });
}

/** The templates that would be deployed. */
export const assemble = (stage: Stage): Assembly =>
  build(stage, (app, stack, folder) => {
    app.synth();
    return writtenTo(folder, stack);
  });

function writtenTo(folder: string, stack: GenwayStack): Assembly {
  const written = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const parts = stack.node.findAll().filter((child) => NestedStack.isNestedStack(child));
  return v.parse(assemblySchema, {
    template: written(stack.templateFile),
    parts: Object.fromEntries(parts.map(({ node, templateFile }) => [node.id, written(templateFile)])),
  });
}

const fileSchema = v.pipe(v.string(), v.parseJson(), reportSchema);

/** Runs cdk-nag's AwsSolutions and cdk-preflight on a stage. */
export const check = (stage: Stage): CheckedStage =>
  build(stage, (app, stack, folder) => {
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    Preflight.apply(app);
    try {
      app.synth();
    } catch {
      // A finding throws, but the report contains it anyway.
    }
    const { pluginReports } = v.parse(
      fileSchema,
      readFileSync(join(folder, 'validation-report.json'), 'utf8'),
    );
    return { ...writtenTo(folder, stack), pluginReports };
  });
