import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { zipSync } from 'fflate';
import { ROOT } from '../../lib/bundling/folders.ts';
import { runCommand } from '../../local/system/run-command.ts';
import manifest from '../../package.json' with { type: 'json' };

const { version, license } = manifest;
const CLIENTS = join(ROOT, 'clients');

/** Writes the TypeScript client as one module with its declarations, which needs no other package. */
export async function writeTypescriptPackage(folder: string): Promise<void> {
  const source = join(CLIENTS, 'typescript');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [join(source, 'src/index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: ['node20', 'es2022'],
    logLevel: 'warning',
  });
  await stop();
  await writeTypes(folder);
  const own = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...own, version, license }, undefined, 2)}\n`,
  );
  await cp(join(source, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

async function writeTypes(folder: string): Promise<void> {
  const emitted = await runCommand(
    'npx',
    ['tsc', '-p', 'bin/pack/clients.tsconfig.json', '--outDir', folder],
    {
      cwd: ROOT,
    },
  );
  if (emitted.code !== 0) throw new Error(emitted.output);
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.d.ts'))) {
    const types = await readFile(join(folder, name), 'utf8');
    // Beside a declaration there is no source.
    await writeFile(join(folder, name), types.replaceAll(/'\.\/(\w+)\.ts'/g, "'./$1.js'"));
  }
}

const WHEEL = 'Wheel-Version: 1.0\nGenerator: genway\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/**
 * Writes the Python client as a wheel, which is an archive of its files and of what PEP 427 says about them. So packing
 * needs no Python, and equal files make equal wheels. @returns the wheel's file
 */
export async function writeWheel(folder: string): Promise<string> {
  const source = join(CLIENTS, 'python');
  const modules = (await readdir(join(source, 'genway'))).filter((each) => /\.(py|typed)$/.test(each)).sort();
  const info = `genway-${version}.dist-info`;
  const files: Record<string, Uint8Array> = {};
  for (const name of modules) files[`genway/${name}`] = await readFile(join(source, 'genway', name));
  files[`${info}/licenses/LICENSE`] = await readFile(join(ROOT, 'LICENSE'));
  files[`${info}/METADATA`] = Buffer.from(await metadata(source));
  files[`${info}/WHEEL`] = Buffer.from(WHEEL);
  const record = `${info}/RECORD`;
  files[record] = Buffer.from([...Object.entries(files).map(recorded), `${record},,`, ''].join('\n'));
  const file = join(folder, `genway-${version}-py3-none-any.whl`);
  await mkdir(folder, { recursive: true });
  // The earliest time that an archive can hold.
  await writeFile(file, zipSync(files, { mtime: '1980-01-01T12:00:00' }));
  return file;
}

/** A line of RECORD: the path, the digest and the size of a file. */
const recorded = ([path, bytes]: readonly [string, Uint8Array]): string =>
  `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`;

async function metadata(source: string): Promise<string> {
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  return [
    'Metadata-Version: 2.4',
    'Name: genway',
    `Version: ${version}`,
    'Summary: A client for Genway, a self-hosted gateway for generative models',
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    'Requires-Python: >=3.11',
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n');
}
