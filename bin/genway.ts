import { App, Tags } from 'aws-cdk-lib';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { GenwayStack } from '../lib/genway-stack.ts';
import { stageConfig } from '../lib/stage-config.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';

const app = new App();
const stage: unknown = app.node.tryGetContext('stage') ?? 'dev';
const config = stageConfig(String(stage));

await bundleFunctions(config.videos.models);
await prepareImageContext();
const stack = new GenwayStack(app, `Genway-${config.name}`, {
  config,
  description: 'Genway, a gateway for generative models',
});
Tags.of(stack).add('service', 'genway');
Tags.of(stack).add('stage', config.name);
app.synth();
