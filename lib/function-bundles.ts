import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';

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
  rmSync(BUNDLES, { recursive: true, force: true });
  await build({
    entryPoints: entryPoints(),
    outdir: BUNDLES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
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
    logLevel: 'warning',
  });
}

/** A Lambda is a file below `functions/` that exports `handler`; its name is the file's. */
function entryPoints(): { in: string; out: string }[] {
  return globSync('functions/*/*.ts', { cwd: ROOT })
    .filter((file) => /^export const handler\b/m.test(readFileSync(join(ROOT, file), 'utf8')))
    .map((file) => ({ in: join(ROOT, file), out: join(basename(file, '.ts'), 'index') }));
}
