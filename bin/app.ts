import { App } from 'aws-cdk-lib';
import { prepareDecoder } from '../lib/bundling/decoder-layer.ts';
import { titleOf } from '../lib/constructs/names.ts';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { GenwayStack } from '../lib/genway-stack.ts';
import { stageConfig } from '../lib/stage/config.ts';
import { readPassingSettings, warnOfPassingSettings } from '../lib/stage/passing-settings.ts';
import { placeOf } from '../lib/stage/place.ts';
import { warnOfSilentAlarms } from '../lib/stage/silent-alarms.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';

const app = new App();
const stage: unknown = app.node.tryGetContext('stage') ?? 'dev';
const changes = readPassingSettings(app.node.tryGetContext('settings'));
const config = stageConfig(String(stage), changes);
const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
const env = placeOf(config, { account: CDK_DEFAULT_ACCOUNT, region: CDK_DEFAULT_REGION });

await bundleFunctions(config.videos.models);
await prepareImageContext();
if (config.platform !== 'emulator') prepareDecoder();
const stack = new GenwayStack(app, titleOf(config), {
  name: config.name,
  settings: config,
  env,
  terminationProtection: config.data === 'retain',
  description: 'Genway, a gateway for generative models',
});
warnOfSilentAlarms(stack, config);
warnOfPassingSettings(stack, config.name, Object.keys(changes));
app.synth();
