import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { replaceFile } from './bundle.ts';
import { DECODER_LAYER, ROOT } from './folders.ts';

const INSTALLED = join(ROOT, 'dist', 'decoder');
/** Where Lambda's Node.js looks for the packages of a layer. */
const PACKAGES = join(INSTALLED, 'nodejs');
/** Named here, with the digests of its files. */
const PINNED = join(ROOT, 'lib', 'decoder');
const LISTS = ['package.json', 'package-lock.json'] as const;

/**
 * Installs the decoder for Lambda's processor, whatever the processor here is, and packs it. The lock names the bytes;
 * no script of a package runs.
 */
export function prepareDecoder(): void {
  if (existsSync(DECODER_LAYER) && LISTS.every(isCopied)) return;
  mkdirSync(PACKAGES, { recursive: true });
  for (const name of LISTS) copyFileSync(join(PINNED, name), join(PACKAGES, name));
  const platform = ['--os=linux', '--cpu=x64', '--libc=glibc', '--ignore-scripts'];
  execFileSync('npm', ['ci', ...platform, '--no-audit', '--no-fund'], { cwd: PACKAGES, stdio: 'inherit' });
  replaceFile(DECODER_LAYER, packed(INSTALLED));
}

function isCopied(name: string): boolean {
  const copy = join(PACKAGES, name);
  return existsSync(copy) && readFileSync(copy).equals(readFileSync(join(PINNED, name)));
}

/** The same files make the same bytes, because CDK deploys a layer again when its bytes change. */
function packed(folder: string): Uint8Array {
  const files = globSync('**/*', { cwd: folder })
    .filter((file) => statSync(join(folder, file)).isFile())
    .toSorted();
  const contents = files.map((file) => [file, readFileSync(join(folder, file))] as const);
  return zipSync(Object.fromEntries(contents), { mtime: '1980-01-02' });
}
