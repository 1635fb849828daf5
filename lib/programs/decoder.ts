import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Architecture, Code, type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { ROOT } from '../bundling/bundle.ts';
import { asInterface } from '../constructs/as-interface.ts';
import type { GenwayFunction } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';

const LAYER = join(ROOT, 'dist', 'decoder');
/** Where Lambda's Node.js looks for the packages of a layer. */
const PACKAGES = join(LAYER, 'nodejs');
/** The decoder's authors build it for Linux on this one, and for nothing else that Lambda runs on. */
export const DECODER_ARCHITECTURE = Architecture.X86_64;
/** Named here, with the digests of its files. */
const PINNED = join(ROOT, 'lib', 'decoder');
const LISTS = ['package.json', 'package-lock.json'] as const;

/**
 * Installs the decoder for Lambda's processor, whatever the processor here is. The lock names the bytes;
 * no script of a package runs.
 */
export function prepareDecoder(): void {
  if (existsSync(join(PACKAGES, 'node_modules')) && LISTS.every(isCopied)) return;
  mkdirSync(PACKAGES, { recursive: true });
  for (const name of LISTS) copyFileSync(join(PINNED, name), join(PACKAGES, name));
  const platform = ['--os=linux', '--cpu=x64', '--libc=glibc', '--ignore-scripts'];
  execFileSync('npm', ['ci', ...platform, '--no-audit', '--no-fund'], { cwd: PACKAGES, stdio: 'inherit' });
}

function isCopied(name: string): boolean {
  const copy = join(PACKAGES, name);
  return existsSync(copy) && readFileSync(copy).equals(readFileSync(join(PINNED, name)));
}

/** As a layer; on the emulator, where it takes no more than its address, from the packages of the checkout. */
export function giveDecoder(program: GenwayFunction, { platform }: StageConfig): void {
  if (platform === 'emulator') {
    program.addEnvironment('NODE_PATH', join(ROOT, 'node_modules'));
    return;
  }
  const layer = new LayerVersion(program, 'Decoder', {
    code: Code.fromAsset(LAYER),
    compatibleArchitectures: [DECODER_ARCHITECTURE],
    license: 'MIT AND LGPL-2.1-or-later AND BSD-2-Clause AND BSD-3-Clause',
    description: 'Decodes videos for their thumbnails',
  });
  program.addLayers(asInterface<ILayerVersion>(layer));
}
