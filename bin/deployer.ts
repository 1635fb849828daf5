#!/usr/bin/env node
// The program in the package that `npm run pack:cdk` makes. What it loads names functions that older versions of Node.js do not
// have, and would end there with an error of the loader.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 12)) {
  const { processCli } = await import('./cli/process-cli.ts');
  const { run } = await import('./cli/run.ts');
  const { deployerProgram, deployerStages } = await import('./deployer-program.ts');
  const cli = processCli();
  process.exitCode = await run(process.argv.slice(2), cli, deployerProgram(cli, deployerStages));
} else {
  process.stderr.write(`genway needs Node.js 22.12 or later, but this is ${process.versions.node}\n`);
  process.exitCode = 1;
}

export {};
