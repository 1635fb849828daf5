/** Prints as JSON the resources of the stage `local` that the engines need. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import * as v from 'valibot';
import { GenwayStack } from '../../lib/genway-stack.ts';
import { stageConfig } from '../../lib/stage/config.ts';

const TYPES = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::SQS::Queue',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::Lambda::Function',
];

const templateSchema = v.object({
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      Metadata: v.optional(v.object({ 'aws:cdk:path': v.optional(v.string(), '') })),
    }),
  ),
});

// The code of functions does not matter here, and bundling it takes long.
Object.assign(Code, { fromAsset: () => Code.fromInline('-') });
const outdir = mkdtempSync(join(tmpdir(), 'genway-resources-'));
const app = new App({
  outdir,
  context: { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:disable-asset-staging': true },
  builtinCloudFormationValidation: false,
  treeMetadata: false,
});
new GenwayStack(app, 'Genway', { name: 'local', settings: stageConfig('local') });
const { Resources } = v.parse(templateSchema, app.synth().getStackByName('Genway').template);
rmSync(outdir, { recursive: true });
const resources = Object.entries(Resources)
  .filter(([, { Type }]) => TYPES.includes(Type))
  .map(([logicalId, { Type, Properties, Metadata }]) => ({
    logicalId,
    // Without the stack, the deployment within it, and CDK's own `Resource`.
    path: (Metadata?.['aws:cdk:path'] ?? '').split('/').slice(2, -1).join('-'),
    type: Type,
    properties: Properties,
  }));
process.stdout.write(JSON.stringify(resources));
