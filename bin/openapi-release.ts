import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openApiJson } from '../functions/openapi/text.ts';
import { ROOT } from '../lib/bundle.ts';

/**
 * `npm run openapi:release`: keeps the description as it is now, for later changes to be compared with. At a
 * release, and where a major version breaks clients on purpose.
 */
const WORDS = new Set(['description', 'summary', 'example']);
const surface = JSON.parse(openApiJson(), (name, value) =>
  WORDS.has(name) && (typeof value === 'string' || name === 'example') ? undefined : value,
);
writeFileSync(join(ROOT, 'docs/openapi.released.yaml'), stringify(surface));
