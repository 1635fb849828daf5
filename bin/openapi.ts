import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openApiSurface, openApiYaml, operationsPage } from '../functions/openapi/text.ts';
import { ROOT } from '../lib/bundling/folders.ts';
import { clientTypes } from './pack/client-package.ts';

/** The API's description, as it is served, and the table of its operations. */
function writeDescription(): void {
  writeFileSync(join(ROOT, 'docs/openapi.yaml'), openApiYaml());
  writeFileSync(join(ROOT, 'docs/operations.md'), operationsPage());
}

/**
 * The second half of `npm run openapi:types`: writes into the types which description they were made from, so that a
 * test can compare. No test can run the generator, because it needs an older TypeScript than this repository has.
 */
function signTypes(): void {
  const file = join(ROOT, 'docs/clients/genway.d.ts');
  const digest = createHash('sha256').update(JSON.stringify(openApiSurface())).digest('hex');
  const types = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    `// \`npm run openapi:types\` writes this file. SHA-256 digest of the OpenAPI document without its descriptions, summaries and examples: ${digest}\n${types}`,
  );
}

/** Writes the types of our own clients: the few schemas of `genway.d.ts` that they name. */
const writeClientTypes = (): void =>
  writeFileSync(
    join(ROOT, 'clients/typescript/src/types.ts'),
    clientTypes(readFileSync(join(ROOT, 'docs/clients/genway.d.ts'), 'utf8')),
  );

/**
 * Saves the current description, so that later changes are compared with it. For a release, and for when a major version
 * breaks clients on purpose.
 */
const keepRelease = (): void =>
  writeFileSync(join(ROOT, 'docs/openapi.released.yaml'), stringify(openApiSurface()));

const [what] = process.argv.slice(2);
if (what === 'types') {
  signTypes();
  writeClientTypes();
} else if (what === 'release') keepRelease();
else writeDescription();
