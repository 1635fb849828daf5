import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiSurface } from '../functions/openapi/surface.ts';
import { ROOT } from '../lib/bundling/bundle.ts';

/**
 * The second half of `npm run openapi:types`: writes into the types which description they were made from, so that a
 * test can compare. No test can run the generator, because it needs an older TypeScript than this repository has.
 */
const file = join(ROOT, 'docs/clients/genway.d.ts');
const digest = createHash('sha256').update(JSON.stringify(openApiSurface())).digest('hex');
writeFileSync(
  file,
  `// Of ${digest}; \`npm run openapi:types\` writes this file.\n${readFileSync(file, 'utf8')}`,
);
