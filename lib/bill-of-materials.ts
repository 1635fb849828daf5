import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';
import { packageFolder, ROOT } from './bundling/bundle.ts';

type Inputs = Metafile['outputs'][string]['inputs'];

/**
 * The bill of materials of one bundle, as CycloneDX 1.6 JSON. It lists every package with a byte in the bundle, with its
 * version, its licence, the hash of its archive from `package-lock.json`, and its dependencies. It has
 * neither a date nor a serial number, so that the same bundle always has the same bill.
 */
export function billOfMaterials(name: string, inputs: Inputs, metafile: Metafile): string {
  const components = new Map<string, Models.Component>();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const folder = packageFolder(file);
    if (bytesInOutput === 0 || components.has(folder)) continue;
    components.set(folder, folder === '' ? program(name) : library(folder));
  }
  // A file that only re-exports leaves no byte in the bundle, but its package is needed all the same.
  for (const file of Object.keys(inputs)) {
    const user = components.get(packageFolder(file));
    for (const imported of metafile.inputs[file]?.imports ?? []) {
      const used = components.get(packageFolder(imported.path));
      if (used !== undefined && used !== user) user?.dependencies.add(used.bomRef);
    }
  }
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: components.get('') ?? program(name) }),
    components: new Models.ComponentRepository([...components.values()].filter(({ purl }) => purl)),
  });
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));

const manifestSchema = v.object({ name: v.string(), version: v.string(), license: v.string() });
const lockSchema = v.object({
  packages: v.record(v.string(), v.object({ integrity: v.optional(v.string()) })),
});
const lock = v.parse(lockSchema, readJson('package-lock.json'));

function program(name: string): Models.Component {
  const ours = v.parse(manifestSchema, readJson('package.json'));
  return new Models.Component(Enums.ComponentType.Application, name, {
    bomRef: `genway/${name}@${ours.version}`,
    group: ours.name,
    version: ours.version,
    licenses: licence(ours.license),
  });
}

function library(folder: string): Models.Component {
  const { name, version, license } = v.parse(manifestSchema, readJson(join(folder, 'package.json')));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [, scope, base = name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name) ?? [];
  return new Models.Component(Enums.ComponentType.Library, base, {
    // Two copies of one version in different folders are two components.
    bomRef: `${purl}#${folder}`,
    ...(scope === undefined ? {} : { group: scope }),
    version,
    purl,
    licenses: licence(license),
    externalReferences: new Models.ExternalReferenceRepository([
      new Models.ExternalReference(purl, Enums.ExternalReferenceType.Distribution, {
        hashes: new Models.HashDictionary([archiveHash(folder)]),
      }),
    ]),
  });
}

const licence = (name: string): Models.LicenseRepository =>
  new Models.LicenseRepository([
    SPDX.isSupportedSpdxId(name) ? new Models.SpdxLicense(name) : new Models.NamedLicense(name),
  ]);

/** The hash of the archive that npm fetched. Nobody publishes a hash of the unpacked files. */
function archiveHash(folder: string): Models.Hash {
  const [, base64] = /^sha512-(.+)$/.exec(lock.packages[folder]?.integrity ?? '') ?? [];
  if (base64 === undefined)
    throw new Error(`package-lock.json has no SHA-512 for ${folder}; run npm install`);
  return [Enums.HashAlgorithm['SHA-512'], Buffer.from(base64, 'base64').toString('hex')];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
