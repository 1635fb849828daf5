import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';

const options = {
  context: {
    // Otherwise CDK would print the warnings, which tests read from the stack.
    '@aws-cdk/core:annotationsInValidationReport': false,
    // Otherwise each stack would copy the bundles that it names.
    'aws:cdk:disable-asset-staging': true,
  },
  // Takes longer than the rest, and `npm run synth` does it anyway.
  builtinCloudFormationValidation: false,
  treeMetadata: false,
  stackTraces: false,
};

/** CDK's own temporary folders would be deleted at the exit of the worker, for which Jest does not wait long. */
const folder = mkdtempSync(join(tmpdir(), 'genway-stacks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A stack for one construct. @param region unknown before the deployment by default */
export function emptyStack(region?: string, name = 'Small'): Stack {
  const app = new App({ ...options, outdir: mkdtempSync(join(folder, 'stack-')) });
  return new Stack(app, name, region === undefined ? {} : { env: { account: '123456789012', region } });
}
