import { App } from 'aws-cdk-lib';
import { prepareDecoder } from '../lib/bundling/decoder-layer.ts';
import { titleOf } from '../lib/constructs/names.ts';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { GenwayStack } from '../lib/genway-stack.ts';
import { stageConfig } from '../lib/stage/config.ts';
import { readPassingSettings, warnOfPassingSettings } from '../lib/stage/passing-settings.ts';
import { placeOf } from '../lib/stage/place.ts';
import { WrongSettings } from '../lib/stage/read-settings.ts';
import { warnOfSilentAlarms } from '../lib/stage/silent-alarms.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';

const app = new App();
const { config, changes, env } = settled();

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

/** What is wrong with settings is told without a stack trace, in which nobody could find it. */
function settled() {
  try {
    const changes = readPassingSettings(app.node.tryGetContext('settings'));
    const config = stageConfig(String(app.node.tryGetContext('stage') ?? 'dev'), changes);
    const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
    const env = placeOf(config, { account: CDK_DEFAULT_ACCOUNT, region: CDK_DEFAULT_REGION });
    return { config, changes, env };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
