import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiYaml } from '../functions/openapi/text.ts';
import { ROOT } from '../lib/bundle.ts';

/** `npm run openapi`: writes the description of the API, as it is served, to where people read it. */
writeFileSync(join(ROOT, 'docs/openapi.yaml'), openApiYaml());
