#!/usr/bin/env node
import { processCli } from './cli/process-cli.ts';
import { run } from './cli/run.ts';
// The program in the package that `npm run pack:cli` makes.
import { clientProgram } from './client-program.ts';

const cli = processCli();
process.exitCode = await run(process.argv.slice(2), cli, clientProgram(cli));
