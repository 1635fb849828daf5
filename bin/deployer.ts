#!/usr/bin/env node
import { processCli } from './cli/process-cli.ts';
import { run } from './cli/run.ts';
// The program in the package that `npm run pack:cdk` makes.
import { deployerProgram, deployerStages } from './deployer-program.ts';

const cli = processCli();
process.exitCode = await run(process.argv.slice(2), cli, deployerProgram(cli, deployerStages));
