import { join } from 'node:path';
import { Architecture, Code, type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { DECODER_LAYER, ROOT } from '../bundling/folders.ts';
import { asInterface } from '../constructs/as-interface.ts';
import type { GenwayFunction } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';

/** The decoder's authors build it for Linux on this one, and for nothing else that Lambda runs on. */
export const DECODER_ARCHITECTURE = Architecture.X86_64;
/** As a layer; on the emulator, where it takes no more than its address, from the packages of the checkout. */
export function giveDecoder(program: GenwayFunction, { platform }: StageConfig): void {
  if (platform === 'emulator') {
    program.addEnvironment('NODE_PATH', join(ROOT, 'node_modules'));
    return;
  }
  const layer = new LayerVersion(program, 'Decoder', {
    code: Code.fromAsset(DECODER_LAYER),
    compatibleArchitectures: [DECODER_ARCHITECTURE],
    license: 'MIT AND LGPL-2.1-or-later AND BSD-2-Clause AND BSD-3-Clause',
    description: 'Decodes videos for their thumbnails',
  });
  program.addLayers(asInterface<ILayerVersion>(layer));
}
