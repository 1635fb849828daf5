import { App, type Environment } from 'aws-cdk-lib';
import * as v from 'valibot';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { GenwayStack } from '../lib/genway-stack.ts';
import { type StageConfig, stageConfig } from '../lib/stage-config.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';

const settingsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

const app = new App();
const stage: unknown = app.node.tryGetContext('stage') ?? 'dev';
const changes: unknown = app.node.tryGetContext('settings');
const config = stageConfig(String(stage), changes === undefined ? {} : v.parse(settingsSchema, changes));

await bundleFunctions(config.videos.models);
await prepareImageContext();
new GenwayStack(app, `Genway-${config.name}`, {
  config,
  env: environmentOf(config),
  terminationProtection: config.data === 'retain',
  description: 'Genway, a gateway for generative models',
});
app.synth();

/** The stage's own account and region, with which the CLI compares the deployer's; else wherever that leads. */
function environmentOf({ account, region }: StageConfig): Environment {
  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
  return Object.fromEntries(
    Object.entries({
      account: account ?? CDK_DEFAULT_ACCOUNT,
      region: region ?? CDK_DEFAULT_REGION,
    }).filter(([, value]) => value !== undefined),
  );
}
