import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openApiSurface } from '../functions/openapi/surface.ts';
import { ROOT } from '../lib/bundle.ts';

/**
 * `npm run openapi:release`: keeps the description as it is now, for later changes to be compared with. At a
 * release, and where a major version breaks clients on purpose.
 */
writeFileSync(join(ROOT, 'docs/openapi.released.yaml'), stringify(openApiSurface()));
