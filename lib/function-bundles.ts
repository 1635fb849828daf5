import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import type { VideoEndpoint } from '../functions/videos/catalogue/endpoint.ts';
import { bundle, ROOT } from './bundle.ts';
import { writeDescription } from './description/write-description.ts';
import { stageModels } from './stage-models.ts';

export const BUNDLES = join(ROOT, 'dist', 'functions');

/**
 * Bundles every Lambda in one pass of esbuild into `dist/functions/<name>/index.mjs`.
 *
 * One pass instead of one per function, as CDK's own construct does it, because thirty processes take
 * thirty times as long; and these very files run under test. The AWS SDK is bundled: what is tested is
 * what is deployed.
 *
 * @param isWanted for a build of some of them alone
 */
export async function bundleFunctions(
  models: readonly VideoEndpoint[] = [],
  isWanted: (name: string) => boolean = () => true,
): Promise<Metafile> {
  const wanted = entryPoints().filter(({ out }) => isWanted(dirname(out)));
  const metafile = await bundle(wanted, BUNDLES, {
    minify: true,
    alias: { '@aws-sdk/credential-provider-node': join(ROOT, 'functions/aws/lambda-credentials.ts') },
    plugins: [lazyHttp, stageModels(models)],
  });
  writeDescription(BUNDLES);
  return metafile;
}

/**
 * An ES module that imports `node:http` makes Node.js read every export of it, `WebSocket` among them, which
 * loads undici: some 20 ms of a cold start. Asked for as a built-in object it loads only what is used.
 */
const lazyHttp: Plugin = {
  name: 'lazy-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path }) => ({
      path: path.replace('node:', ''),
      namespace: 'lazy-http',
    }));
    onLoad({ filter: /.*/, namespace: 'lazy-http' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

/** A Lambda is a file below `functions/endpoints/` that exports `handler`; its name is the file's. */
function entryPoints(): { in: string; out: string }[] {
  return globSync('functions/endpoints/**/*.ts', { cwd: ROOT })
    .filter((file) => /^export const handler\b/m.test(readFileSync(join(ROOT, file), 'utf8')))
    .map((file) => ({ in: join(ROOT, file), out: join(basename(file, '.ts'), 'index') }));
}
