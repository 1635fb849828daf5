import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openApiSurface } from '../functions/openapi/surface.ts';
import { ROOT } from '../lib/bundling/bundle.ts';

/**
 * `npm run openapi:release`: saves the current description, so that later changes are compared with it. Run it at a
 * release, and when a major version breaks clients on purpose.
 */
writeFileSync(join(ROOT, 'docs/openapi.released.yaml'), stringify(openApiSurface()));
