import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Plugin, stop } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
export const BUNDLES = join(ROOT, 'dist', 'functions');

/**
 * Bundles every Lambda in one pass of esbuild into `dist/functions/<name>/index.mjs`.
 *
 * One pass instead of one per function, as CDK's own construct does it, because thirty processes take
 * thirty times as long; and these very files run under test. The AWS SDK is bundled: what is tested is
 * what is deployed.
 */
export async function bundleFunctions(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: entryPoints(),
    outdir: BUNDLES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    keepNames: true,
    // The ES modules of packages that have both shake better; some are CommonJS and call `require`.
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    alias: { '@aws-sdk/credential-provider-node': join(ROOT, 'functions/aws/lambda-credentials.ts') },
    plugins: [lazyHttp],
    logLevel: 'warning',
  });
  // Its process would keep ours alive.
  await stop();
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
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

/** A Lambda is a file below `functions/` that exports `handler`; its name is the file's. */
function entryPoints(): { in: string; out: string }[] {
  return globSync('functions/*/*.ts', { cwd: ROOT })
    .filter((file) => /^export const handler\b/m.test(readFileSync(join(ROOT, file), 'utf8')))
    .map((file) => ({ in: join(ROOT, file), out: join(basename(file, '.ts'), 'index') }));
}

/** Whole or not at all: several runs in one checkout read each other's bundles. */
function replaceFile(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  // Not `.mjs`, and outside the asset's folder: CDK hashes all that is in it.
  const draft = `${dirname(path)}.${process.pid}.tmp`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
