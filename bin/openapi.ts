import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/bundle.ts';
import { openApiYaml } from '../lib/description/write-description.ts';

/** `npm run openapi`: writes the description of the API, as it is served, to where people read it. */
writeFileSync(join(ROOT, 'docs/openapi.yaml'), openApiYaml());
