import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { systemClock } from '../functions/clock.ts';
import { DEFAULT_STATE_FOLDER, stateFolder } from '../local/state-folder.ts';
import { styleFor } from '../local/terminal/style.ts';
import { visible } from '../local/terminal/visible.ts';
import { HELP, type LocalRun, parseCommandLine, UsageError } from './webhooks/command-line.ts';
import { listen } from './webhooks/listen.ts';

const LOOK_MILLISECONDS = 1_000;

const localRunSchema = v.object({ base_url: v.string(), management_key: v.string() });

async function readLocalRun(): Promise<LocalRun | undefined> {
  const text = await readFile(stateFolder(DEFAULT_STATE_FOLDER).runFile, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : v.parse(localRunSchema, JSON.parse(text));
}

/** Ctrl-C, and whatever else asks a process to end. */
function endSignal(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  return ending.signal;
}

async function run(): Promise<void> {
  const options = parseCommandLine(process.argv.slice(2), process.env, await readLocalRun());
  if (options === 'help') return void process.stdout.write(`${HELP}\n`);
  const signal = endSignal();
  const talk = options.json ? process.stderr : process.stdout;
  await listen(options, {
    fetch,
    now: systemClock,
    randomBytes,
    nextLook: () => wait(LOOK_MILLISECONDS, true, { signal }).catch(() => false),
    tell: (line) => talk.write(`${line}\n`),
    emit: (body) => process.stdout.write(`${body}\n`),
    style: styleFor(talk),
  });
}

try {
  await run();
} catch (error) {
  const message = visible(error instanceof Error ? error.message : String(error));
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${message}\n\n${HELP}\n` : `${message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
