import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { BUNDLES, ROOT } from '../../lib/bundling/folders.ts';

/** How much larger a function may be than a bare DynamoDB client, in bytes and in load time. */
export const COLD_BAR = 1.25;

const STATIC_IMPORT = /(?:\bfrom|\bimport)"(\.\/later-\w+\.mjs)"/g;

/** The bytes that Lambda reads to start a function: its program and all static imports. */
export function loadedBytes(name: string): number {
  const seen = new Set<string>();
  const read = (file: string): number => {
    if (seen.has(file)) return 0;
    seen.add(file);
    const text = readFileSync(join(BUNDLES, name, file));
    const imported = [...text.toString('latin1').matchAll(STATIC_IMPORT)];
    return imported.reduce((sum, [, next = '']) => sum + read(next), text.length);
  };
  return read('index.mjs');
}

export const bundleNames = (): string[] => readdirSync(BUNDLES).sort();

/** A program with nothing but a DynamoDB client, bundled in the plain way. */
export async function bareClient(): Promise<Uint8Array> {
  const contents =
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'; export default new DynamoDBClient();";
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  await stop();
  return outputFiles[0]?.contents ?? new Uint8Array();
}
