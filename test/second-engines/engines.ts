/**
 * Runs Genway's tests on AWS's own DynamoDB Local, an S3 server that checks signatures and checksums, and a second SQS:
 * `npm run engines`. docs/second-engines.md says what it shows, and what it cannot.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Argument, Command, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { LocalRunError } from '../../local/system/failure.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { textProgress } from '../../local/terminal/progress.ts';
import type { AnnouncedEngines } from './announced.ts';
import { DIFFERENCES, PARTS, type Part } from './differences.ts';
import { askedOf, ENGINES } from './requests.ts';
import { installServers, ROOT, startServers } from './servers.ts';
import { type JestReport, jestReportSchema, judge } from './verdict.ts';

const HERE = import.meta.dirname;
/** How Jest runs each part. The tests that run on engines and emulator are in the first part only. */
const JEST_OPTIONS: Readonly<Record<Part, readonly string[]>> = {
  conformance: ['--config', join(HERE, 'jest.config.js')],
  contract: ['--selectProjects', 'contract', '--testPathIgnorePatterns', '\\.both\\.'],
};
const EXIT_CODES = `
Exit codes: 0 every test passed, or failed as test/second-engines/differences.ts says; 1 another failed, or one passed
that should fail; 2 the engines could not be installed or started, or the stage did not ask them; 130 Ctrl-C.`;

const command = new Command('npm run engines --')
  .description(
    'Runs the tests of AWS’s services on AWS’s own DynamoDB Local, an S3 server and an SQS server.',
  )
  .addArgument(new Argument('[paths...]', 'only test files whose paths match'))
  .addOption(new Option('--part <part>', 'only one part').choices(PARTS))
  .addHelpText('after', EXIT_CODES)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse();
const { part: only } = command.opts();
const [paths] = command.processedArgs;

const stopped = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopped.abort());
const progress = textProgress(process.stdout, () => performance.now());
const folder = await mkdtemp(join(tmpdir(), 'genway-engines-'));
try {
  await progress.step('Finding the second engines', (detail) => installServers(detail, stopped.signal));
  const codes: number[] = [];
  for (const part of PARTS) if (only === undefined || only === part) codes.push(await runPart(part));
  process.exitCode = Math.max(...codes);
} catch (error) {
  if (stopped.signal.aborted) process.exitCode = 130;
  else {
    if (!(error instanceof LocalRunError)) throw error;
    console.error([error.message, error.output].filter(Boolean).join('\n'));
    process.exitCode = 2;
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** @returns the exit code */
async function runPart(part: Part): Promise<number> {
  const data = join(folder, part);
  const servers = await progress.step('Starting the second engines', () =>
    startServers(data, stopped.signal),
  );
  const requests = join(data, 'requests');
  try {
    await runJest(part, { ...servers.addresses, root: ROOT, requests });
  } finally {
    await servers.stop();
  }
  const verdict = judge(
    await reportOf(part),
    DIFFERENCES.filter((difference) => difference.part === part),
  );
  for (const test of verdict.unexplained) console.log(`FAILED: ${test}`);
  for (const test of verdict.outdated) console.log(`PASSED, so it no longer differs: ${test}`);
  const { passed, explained, unexplained, outdated } = verdict;
  console.log(`${part}: ${passed} passed, ${explained} failed as explained, ${unexplained.length} failed`);
  if (part === 'contract') {
    // Some tests alone need no objects or messages, but every stage has rows.
    const needed = paths.length === 0 ? ENGINES : ['dynamodb'];
    console.log(await askedOf(requests, needed));
  }
  return unexplained.length + outdated.length === 0 ? 0 : 1;
}

async function reportOf(part: Part): Promise<JestReport> {
  const text = await readFile(join(folder, `${part}.json`), 'utf8').catch(() => undefined);
  if (text === undefined) throw new LocalRunError(`The part ${part} has run no test.`);
  return v.parse(jestReportSchema, text);
}

async function runJest(part: Part, engines: AnnouncedEngines): Promise<void> {
  const script = join(CHECKOUT, 'node_modules/jest/bin/jest.js');
  const node = ['--no-warnings', '--experimental-vm-modules', '--max-semi-space-size=64', script];
  const report = ['--json', '--outputFile', join(folder, `${part}.json`), '--testTimeout=60000'];
  const extension = {
    PYTHONPATH: [join(HERE, 'extension'), process.env.PYTHONPATH].filter(Boolean).join(delimiter),
  };
  const child = spawn(process.execPath, [...node, ...paths, ...JEST_OPTIONS[part], ...report], {
    cwd: CHECKOUT,
    env: {
      ...process.env,
      ...extension,
      // What a killed run leaves behind goes with the folder.
      TMPDIR: folder,
      GENWAY_EMULATOR_EXTENSION: 'second_engines',
      GENWAY_SECOND_ENGINES: JSON.stringify(engines),
    },
    // Jest shows its progress on standard error; on standard output it would repeat the report.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  stopped.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  await once(child, 'close');
  stopped.signal.throwIfAborted();
}
