import { join } from 'node:path';
import { ROOT } from '../lib/bundling/bundle.ts';
import { runCommand } from '../local/system/run-command.ts';
import { writeClientPackage } from './pack/client-package.ts';

const dist = join(ROOT, 'dist');
const folder = join(dist, 'genway');
await writeClientPackage(folder);
const { code, output } = await runCommand('npm', ['pack', folder, '--pack-destination', dist, '--silent']);
process.stdout.write(output);
process.exitCode = code;
