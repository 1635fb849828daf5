import { join } from 'node:path';
import { ROOT } from '../lib/bundling/folders.ts';
import { runCommand } from '../local/system/run-command.ts';
import { writeCdkPackage } from './pack/cdk-package.ts';
import { writeClientPackage } from './pack/client-package.ts';
import { writeTypescriptPackage, writeWheel } from './pack/own-clients.ts';

const WRITERS = { cli: writeClientPackage, cdk: writeCdkPackage, clients: writeTypescriptPackage };

const [what = 'cli'] = process.argv.slice(2);
if (what !== 'cli' && what !== 'cdk' && what !== 'clients')
  throw new Error(`Pack cli, cdk or clients, not ${what}`);
const dist = join(ROOT, 'dist');
const folder = join(dist, 'packages', what);
await WRITERS[what](folder);
if (what === 'clients') process.stdout.write(`${await writeWheel(dist)}\n`);
const { code, output } = await runCommand('npm', ['pack', folder, '--pack-destination', dist, '--silent']);
if (code === 0) process.stdout.write(`${join(dist, output.trim())}\n`);
else process.stderr.write(output);
process.exitCode = code;
