import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { SERVER_PROGRAM } from '../../lib/upload-server/image-context.ts';
import { BILLS } from '../../lib/write-bills.ts';
import { synthesize } from './template.ts';

/** Licences that only ask for their text to be included. A person must read any other licence first. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

const billSchema = v.object({
  metadata: v.object({ component: v.object({ name: v.string() }) }),
  components: v.array(
    v.object({
      'bom-ref': v.string(),
      purl: v.string(),
      version: v.string(),
      licenses: v.tuple([v.object({ license: v.object({ id: v.string() }) })]),
    }),
  ),
  dependencies: v.array(v.object({ ref: v.string(), dependsOn: v.optional(v.array(v.string())) })),
});

const text = (name: string): string => readFileSync(join(BILLS, `${name}.json`), 'utf8');
const bill = (name: string) => v.parse(billSchema, JSON.parse(text(name)));
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const names = readdirSync(BILLS).map((file) => basename(file, '.json'));

test('every function and the upload server has a bill of materials, and nothing else has', async () => {
  const functions = Object.values((await synthesize('prod')).findResources('AWS::Lambda::Function'))
    .map(({ Properties }) => Properties.Environment?.Variables?.POWERTOOLS_SERVICE_NAME)
    .filter((name) => name !== undefined);
  // `prod` keeps its buckets, and its canary makes no videos, because `prod` has no sandbox. Other stages need these
  // two functions.
  const ofOthers = ['empty-bucket', 'receive-canary-webhook'];
  expect(names.toSorted()).toEqual([...functions, ...ofOthers, 'upload-server'].toSorted());
});

describe.each(names)('the bill of %s', (name) => {
  test('is CycloneDX 1.6 and names its bundle', async () => {
    expect(await validator.validate(text(name))).toBeNull();
    expect(bill(name).metadata.component.name).toBe(name);
  });

  test('has a permissive licence for each package', () => {
    const licences = bill(name).components.map(
      ({ purl, licenses }) => [purl, licenses[0].license.id] as const,
    );
    expect(licences.filter(([, id]) => !PERMISSIVE.includes(id))).toEqual([]);
  });

  test('leads from the program to each package', () => {
    const needs = new Map(bill(name).dependencies.map(({ ref, dependsOn }) => [ref, dependsOn ?? []]));
    const reached = new Set(
      bill(name)
        .dependencies.map(({ ref }) => ref)
        .filter((ref) => !ref.startsWith('pkg:')),
    );
    for (const ref of reached) for (const next of needs.get(ref) ?? []) reached.add(next);
    expect(bill(name).components.filter((component) => !reached.has(component['bom-ref']))).toEqual([]);
  });
});

test('lists exactly what esbuild has written into a bundle', () => {
  // The server's bundle is not minified, so a comment names the source before each piece of code.
  const bundled = readFileSync(SERVER_PROGRAM, 'utf8').matchAll(
    /^\s*\/\/ (.*node_modules\/(?:@[^/\n]+\/)?[^/\n]+)\//gm,
  );
  const listed = bill('upload-server').components.map((component) => component['bom-ref'].split('#')[1]);
  expect(listed.toSorted()).toEqual([...new Set([...bundled].map(([, folder]) => folder))].toSorted());
});
