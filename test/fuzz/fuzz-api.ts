import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { startStage } from '../../local/stage.ts';
import { visible } from '../../local/terminal/visible.ts';
import { startVendors } from '../files/providers/vendor-server.ts';
import { runSchemathesis } from './run-schemathesis.ts';

const { examples, seed: seeds } = new Command('npm run fuzz:api --')
  .description(
    'Sends every operation what its description allows and what it does not. Fails for an undescribed answer.',
  )
  .option('--examples <number>', 'how many for each operation', '25')
  .option('--seed <numbers...>', 'one run for each', ['1'])
  .parse()
  .opts();

/** So that a refusal for the rate hides nothing. */
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
    // It stores keys, and then names providers: none of that is to reach one.
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
    // It leaves a cache where it runs.
    { cwd: stateDir, onLine: (line) => process.stdout.write(`${line}\n`) },
  );
  return code === 0;
}
