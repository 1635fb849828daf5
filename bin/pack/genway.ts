#!/usr/bin/env node
// The command of the package. What it loads names functions that older versions of Node.js do not have, and would end there
// with an error of the loader.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 12)) await import('../deployer.ts');
else {
  process.stderr.write(`genway needs Node.js 22.12 or later, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
}

export {};
