/**
 * Renews the table of idle costs in docs/deploy.md from the templates. The sums in README.md must be changed by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { bundleFunctions } from '../../lib/function-bundles.ts';
import { prepareImageContext } from '../../lib/upload-server/image-context.ts';
import { costTable } from './cost-table.ts';
import { costedStages } from './costed-stages.ts';
import { startSynthesizer } from './synthesizer/start.ts';

const PAGE = 'docs/deploy.md';

await bundleFunctions();
await prepareImageContext();
await startSynthesizer();
const table = costTable(await costedStages());
const page = readFileSync(PAGE, 'utf8');
writeFileSync(
  PAGE,
  page.replace(/^\| idle, USD a month .*\n(?:\|.*\n)*/m, () => `${table}\n`),
);
process.stdout.write(`${table}\n`);
