import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiYaml } from '../functions/openapi/text.ts';
import { ROOT } from '../lib/bundling/bundle.ts';

/** `npm run openapi`: writes the API's description, as it is served, to docs/openapi.yaml. */
writeFileSync(join(ROOT, 'docs/openapi.yaml'), openApiYaml());
