import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import cdk from '../../../cdk.json' with { type: 'json' };
import { GenwayStack } from '../../../lib/genway-stack.ts';
import { stageName } from '../../../lib/stage/fields.ts';
import { settingEntries } from '../../../lib/stage/schema.ts';
import { stageConfig } from '../../../lib/stage-config.ts';

/** A stage as a test asks for it. */
export const stageSchema = v.object({
  name: v.string(),
  /** Settings that differ from its own. */
  changes: v.optional(v.record(v.string(), v.unknown()), {}),
  /** Where it is deployed to, if that is known before. */
  region: v.optional(v.string()),
});
export type Stage = v.InferOutput<typeof stageSchema>;

/** Each setting must be right by itself; which go together is no matter here. */
const configSchema = v.strictObject({ name: stageName, ...settingEntries });

const options = {
  context: {
    // The switches that the CDK's CLI hands over: some of them change the template.
    ...cdk.context,
    // Warnings are read from the assembly; a report of them would be printed each time.
    '@aws-cdk/core:annotationsInValidationReport': false,
    // Else each synthesis would copy all bundles.
    'aws:cdk:disable-asset-staging': true,
  },
  // Takes ten times as long as the rest, and `npm run synth` has it.
  builtinCloudFormationValidation: false,
  treeMetadata: false,
  stackTraces: false,
};

/** Builds a stage, and has it written into a folder that is deleted when it has been read. */
export function build<T>(stage: Stage, read: (app: App, stack: GenwayStack, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'genway-assembly-'));
  try {
    const app = new App({ ...options, outdir: folder });
    return read(app, stackIn(app, stage), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stackIn(app: App, { name, changes, region }: Stage): GenwayStack {
  const config = v.parse(configSchema, { ...stageConfig(name), ...changes });
  const env = region === undefined ? {} : { env: { account: '123456789012', region } };
  return new GenwayStack(app, `Genway-${name}`, { config, ...env });
}
