import { App } from 'aws-cdk-lib';
import { prepareDecoder } from '../lib/bundling/decoder-layer.ts';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { addStage, stageOf } from '../lib/genway-stack.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';

const app = new App();
const stage = stageOf(app);
await bundleFunctions(stage.config.videos.models);
await prepareImageContext();
if (stage.config.platform !== 'emulator') prepareDecoder();
addStage(app, stage);
app.synth();
