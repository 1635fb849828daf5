import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { startStage } from '../../local/stage.ts';
import { visible } from '../../local/terminal/text.ts';
import { startVendors } from '../files/providers/vendor-server.ts';
import { runSchemathesis } from './run-schemathesis.ts';

const { examples, seed: seeds } = new Command('npm run fuzz:api --')
  .description(
    'Sends valid and invalid requests to every operation of the API. Fails if an answer is not as described.',
  )
  .option('--examples <number>', 'the number of requests for each operation', '25')
  .option('--seed <numbers...>', 'one run for each seed', ['1'])
  .parse()
  .opts();

/** High rate limits, so that a 429 cannot hide other faults. */
const MANY = 60_000;

const stateDir = await mkdtemp(join(tmpdir(), 'genway-fuzz-'));
const vendors = await startVendors();
const errors: string[] = [];
const stage = await startStage({
  stateDir,
  port: 0,
  unauthenticated: { perMinute: MANY, addresses: 1 },
  log: ({ text }) => {
    if (text.includes('"level":"ERROR"')) errors.push(text);
  },
  settings: {
    requestsPerMinute: { upload: MANY, submit: MANY, read: MANY, admin: MANY },
    // The fuzzer stores provider keys and names providers. Local servers take the providers' place.
    providerBaseUrls: vendors.baseUrls,
  },
});
try {
  for (const seed of seeds) if (!(await holds(seed))) process.exitCode = 1;
} finally {
  await stage.stop();
  await vendors.close();
  await rm(stateDir, { recursive: true, force: true });
  process.stdout.write(errors.map((text) => `${visible(text)}\n`).join(''));
}

async function holds(seed: string): Promise<boolean> {
  const { baseUrl, managementKey: key } = stage;
  const { code } = await runSchemathesis(
    { baseUrl, key, seed, examples, phases: ['examples', 'coverage', 'fuzzing'] },
    // Schemathesis writes a cache into its working directory.
    { cwd: stateDir, onLine: (line) => process.stdout.write(`${line}\n`) },
  );
  return code === 0;
}
