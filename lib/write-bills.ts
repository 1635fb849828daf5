import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { billOfMaterials } from './bill-of-materials.ts';
import { ROOT, replaceFile } from './bundling/bundle.ts';

/** The folder of the bills of materials: `<name>.json` for each bundle, with the name of the bundle's folder. */
export const BILLS = join(ROOT, 'dist', 'sbom');

/** Writes the bills of all bundles, and removes those of deleted bundles. @returns the number of bills */
export function writeBills(metafiles: readonly Metafile[]): number {
  const written = new Set<string>();
  for (const metafile of metafiles) {
    for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
      const name = basename(dirname(output));
      replaceFile(join(BILLS, `${name}.json`), Buffer.from(billOfMaterials(name, inputs, metafile)));
      written.add(`${name}.json`);
    }
  }
  for (const file of readdirSync(BILLS)) if (!written.has(file)) rmSync(join(BILLS, file));
  return written.size;
}
