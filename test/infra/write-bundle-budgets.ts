/** Sets the budget of each function to its current size: `npx node test/infra/write-bundle-budgets.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { bundleNames, loadedBytes } from './bundle-bytes.ts';

await bundleFunctions();
const budgets = Object.fromEntries(bundleNames().map((name) => [name, loadedBytes(name)]));
writeFileSync(join(import.meta.dirname, 'bundle-budgets.json'), `${JSON.stringify(budgets, undefined, 2)}\n`);
