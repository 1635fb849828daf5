import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, packageFolder } from '../../lib/bundling/bundle.ts';
import { ROOT } from '../../lib/bundling/folders.ts';
import manifest from '../../package.json' with { type: 'json' };

const { name, version, description, license, engines } = manifest;

/**
 * Writes a package for people who call a deployment and have no checkout. It is one file with all dependencies, so
 * that its installation installs nothing else. @returns the folders of the packages in that file
 */
export async function writeClientPackage(folder: string): Promise<readonly string[]> {
  const { inputs } = await bundle([{ in: 'bin/client.ts', out: 'genway' }], folder, { target: 'node20' });
  const packages = [...new Set(Object.keys(inputs).map(packageFolder))].filter((each) => each !== '').sort();
  const own = { name, version, description, license, type: 'module', bin: 'genway.mjs', engines };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
  await writeFile(join(folder, 'LICENSES-OF-PACKAGES'), await licences(packages));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  return packages;
}

/** Whoever distributes these packages must also distribute their licences. */
async function licences(packages: readonly string[]): Promise<string> {
  const texts = packages.map(async (each) => {
    const file = (await readdir(join(ROOT, each))).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${each} has no licence file, which the package must include`);
    return `${each.replace(/^.*node_modules\//, '')}\n\n${await readFile(join(ROOT, each, file), 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n\n');
}
