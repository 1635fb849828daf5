import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { packageFolder } from '../../lib/bundling/bundle.ts';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { prepareImageContext } from '../../lib/upload-server/image-context.ts';

const lockSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ packages: v.record(v.string(), v.object({ dev: v.optional(v.boolean(), false) })) }),
);

/** The bill of materials (`npm run sbom`) marks packages for development, and a reader leaves these out. */
test('the bill of materials has every bundled package, and marks none as for development', async () => {
  const { packages } = v.parse(lockSchema, readFileSync('package-lock.json', 'utf8'));
  const metafiles = [await bundleFunctions(), await prepareImageContext()];
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)).map(packageFolder));
  folders.delete('');
  expect(folders.size).toBeGreaterThan(30);
  expect([...folders].filter((folder) => packages[folder]?.dev !== false)).toEqual([]);
});
