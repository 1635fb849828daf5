import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import cdk from '../../cdk.json' with { type: 'json' };
import { prepareDecoder } from '../../lib/bundling/decoder-layer.ts';
import { BUNDLES, DECODER_LAYER, IMAGE_CONTEXT, ROOT } from '../../lib/bundling/folders.ts';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { settingsInterface } from '../../lib/stage/reference.ts';
import { prepareImageContext } from '../../lib/upload-server/image-context.ts';
import { runCommand } from '../../local/system/run-command.ts';
import manifest from '../../package.json' with { type: 'json' };
import { licences, packagesIn } from './client-package.ts';

const { version, license, devDependencies } = manifest;

/** What the construct reads while an app is synthesized and `genway upgrade` before it deploys, below the checkout and below the package. */
const ASSETS = [
  BUNDLES,
  IMAGE_CONTEXT,
  DECODER_LAYER,
  // Messages name pages of docs/, which are nowhere else for those without a checkout.
  ...globSync('docs/*.md', { cwd: ROOT }).map((page) => join(ROOT, page)),
  join(ROOT, 'CHANGELOG.md'),
  join(ROOT, 'config/settings.released.json'),
  join(ROOT, 'lib/edge/route-uploads.js'),
  join(ROOT, 'lib/edge/as-attachment.js'),
];

/** Two folders below the package, as every module of `lib/` is two below the checkout, so that it finds its assets. */
const PROGRAMS = 'lib/construct';

/**
 * Writes a package with the construct and all that it deploys, for apps of others, and with `genway deploy`, for those who
 * write none. Nothing is built where it is installed.
 */
export async function writeCdkPackage(folder: string): Promise<void> {
  await bundleFunctions();
  await prepareImageContext();
  prepareDecoder();
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, PROGRAMS), { recursive: true });
  const { metafile } = await build({
    entryPoints: { index: 'lib/genway.ts', app: 'bin/pack/app.ts', genway: 'bin/deployer.ts' },
    outdir: join(folder, PROGRAMS),
    absWorkingDir: ROOT,
    bundle: true,
    // Each command loads only what it needs.
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    mainFields: ['module', 'main'],
    external: ['aws-cdk-lib', 'constructs'],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
  await stop();
  await writeFile(join(folder, 'LICENSES-OF-PACKAGES'), await licences(packagesIn(metafile)));
  await writeFile(join(folder, 'cdk.json'), JSON.stringify({ ...cdk, app: `node ${PROGRAMS}/app.js` }));
  for (const asset of ASSETS) await cp(asset, asset.replace(ROOT, folder), { recursive: true });
  await writeTypes(join(folder, PROGRAMS));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(import.meta.dirname, 'CDK.md'), join(folder, 'README.md'));
}

function packageJson() {
  return {
    name: '@genway/cdk',
    version,
    description: 'Genway, an open-source gateway for generative models, as a construct for your own CDK app',
    license,
    type: 'module',
    // `require` loads it too: Node.js does so for ES modules since 22.12.
    exports: { '.': { types: `./${PROGRAMS}/index.d.ts`, default: `./${PROGRAMS}/index.js` } },
    bin: { genway: `${PROGRAMS}/genway.js` },
    engines: { node: '>=22.12' },
    peerDependencies: {
      'aws-cdk-lib': devDependencies['aws-cdk-lib'],
      constructs: devDependencies.constructs,
      'aws-cdk': devDependencies['aws-cdk'],
    },
    // An app is deployed by the CLI that its owner has.
    peerDependenciesMeta: { 'aws-cdk': { optional: true } },
  };
}

/** The compiler's own declarations of the construct; those of its settings come from their schemas, with their texts. */
async function writeTypes(folder: string): Promise<void> {
  const output = join(folder, 'types');
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', output];
  const emitted = await runCommand('npx', ['tsc', '-p', 'bin/pack', ...flags]);
  if (emitted.code !== 0) throw new Error(emitted.output);
  const types = await readFile(join(output, 'lib/genway.d.ts'), 'utf8');
  await rm(output, { recursive: true });
  await writeFile(join(folder, 'settings.d.ts'), settingsInterface());
  await writeFile(
    join(folder, 'index.d.ts'),
    `${types.replace('./stage/read-settings.ts', './settings.js')}export type { GenwaySettings };\n`,
  );
}
