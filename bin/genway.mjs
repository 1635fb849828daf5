#!/usr/bin/env node
// JavaScript, so that every Node.js can start it: the rest needs one that runs TypeScript.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
const child = spawn(node, [join(import.meta.dirname, 'genway.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to both; what is sent to this process alone is passed on.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
