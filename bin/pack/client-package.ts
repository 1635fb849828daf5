import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';
import { bundle, packageFolder } from '../../lib/bundling/bundle.ts';
import { ROOT } from '../../lib/bundling/folders.ts';
import manifest from '../../package.json' with { type: 'json' };

const { name, version, description, license, engines } = manifest;

/**
 * Writes a package for people who call a deployment and have no checkout. It is one file with all dependencies, so
 * that its installation installs nothing else. @returns the folders of the packages in that file
 */
export async function writeClientPackage(folder: string): Promise<readonly string[]> {
  const metafile = await bundle([{ in: 'bin/client.ts', out: 'genway' }], folder, { target: 'node20' });
  const packages = packagesIn(metafile);
  const own = { name, version, description, license, type: 'module', bin: 'genway.mjs', engines };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
  await writeFile(join(folder, 'LICENSES-OF-PACKAGES'), await licences(packages));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  return packages;
}

/** The folders of the packages in a bundle. */
export const packagesIn = ({ inputs }: Metafile): readonly string[] =>
  [...new Set(Object.keys(inputs).map(packageFolder))].filter((each) => each !== '').sort();

/** Whoever distributes these packages must also distribute their licences. Some name one whose text others have. */
export async function licences(packages: readonly string[]): Promise<string> {
  const read = packages.map(async (each) => {
    const { license } = v.parse(licensedSchema, await readFile(join(ROOT, each, 'package.json'), 'utf8'));
    const file = (await readdir(join(ROOT, each))).find((one) => /^licen[cs]e/i.test(one));
    const text = file && (await readFile(join(ROOT, each, file), 'utf8'));
    return { name: each.replace(/^.*node_modules\//, ''), license, text };
  });
  const all = await Promise.all(read);
  return all
    .map(({ name, license, text }) => {
      const other = all.find((one) => one.license === license && one.text !== undefined);
      if (other === undefined) throw new Error(`${name} has no licence file, which the package must include`);
      return `${name}\n\n${text ?? `${license}; see the text of ${other.name}`}`;
    })
    .join('\n\n');
}

const licensedSchema = v.pipe(v.string(), v.parseJson(), v.object({ license: v.string() }));

const NAMED = [
  'StoredFile',
  'VideoRequest',
  'Video',
  'VideoGenerationCompletedEvent',
  'VideoGenerationFailedEvent',
  'VideoGenerationCancelledEvent',
  'VideoGenerationExpiredEvent',
  'WebhookTestEvent',
];
const INDENTATION = / {8}/;

/** Those schemas of the generated types that the TypeScript client names, as interfaces. @param types `genway.d.ts` */
export function clientTypes(types: string): string {
  const lines = types.split('\n');
  const interfaces = NAMED.map((name) => {
    const first = lines.indexOf(`        ${name}: {`);
    const last = lines.indexOf('        };', first);
    if (first < 0) throw new Error(`The generated types have no schema ${name}`);
    const body = lines.slice(first + 1, last).map((line) => line.replace(INDENTATION, ''));
    return [`export interface ${name} {`, ...body, '}'].join('\n');
  });
  const text = interfaces.join('\n\n').replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
  return `// \`npm run openapi:types\` writes this file.\n${text}\n`;
}
