import { relative } from 'node:path';
import { bundleFunctions } from '../lib/function-bundles.ts';
import { prepareImageContext } from '../lib/upload-server/image-context.ts';
import { BILLS, writeBills } from '../lib/write-bills.ts';

const count = writeBills([await bundleFunctions(), await prepareImageContext()]);
console.log(`Wrote ${count} bills of materials to ${relative(process.cwd(), BILLS)}`);
