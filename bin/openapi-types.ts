import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiSurface } from '../functions/openapi/surface.ts';
import { ROOT } from '../lib/bundle.ts';

/**
 * The second half of `npm run openapi:types`: notes in the types which description they are made of, for a test to
 * compare. The generator needs an older TypeScript than this repository has, so no test can run it.
 */
const file = join(ROOT, 'docs/clients/genway.d.ts');
const digest = createHash('sha256').update(JSON.stringify(openApiSurface())).digest('hex');
writeFileSync(
  file,
  `// Of ${digest}; \`npm run openapi:types\` writes this file.\n${readFileSync(file, 'utf8')}`,
);
