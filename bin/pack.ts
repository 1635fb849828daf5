import { join } from 'node:path';
import { ROOT } from '../lib/bundling/folders.ts';
import { runCommand } from '../local/system/run-command.ts';
import { writeCdkPackage } from './pack/cdk-package.ts';
import { writeClientPackage } from './pack/client-package.ts';

const WRITERS = { cli: writeClientPackage, cdk: writeCdkPackage };

const [what = 'cli'] = process.argv.slice(2);
if (what !== 'cli' && what !== 'cdk') throw new Error(`Pack cli or cdk, not ${what}`);
const dist = join(ROOT, 'dist');
const folder = join(dist, 'packages', what);
await WRITERS[what](folder);
const { code, output } = await runCommand('npm', ['pack', folder, '--pack-destination', dist, '--silent']);
process.stdout.write(output);
process.exitCode = code;
