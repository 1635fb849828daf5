import { prepareDecoder } from '../../lib/bundling/decoder-layer.ts';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { prepareImageContext } from '../../lib/upload-server/image-context.ts';
import { startSynthesizer } from './synthesizer/serve.ts';

export default async function setUp(): Promise<void> {
  await bundleFunctions();
  await prepareImageContext();
  prepareDecoder();
  await startSynthesizer();
}
