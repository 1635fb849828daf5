import { inspect } from 'node:util';
import { parseStartArguments, START_HELP, type StartArguments } from './arguments.ts';
import type { AnsweredRequest } from './edge/answered-request.ts';
import { LocalRunError } from './failure.ts';
import { keyNamesOf } from './logs/key-names.ts';
import { rawLine, readableLine } from './logs/log-format.ts';
import { requestLine } from './logs/request-line.ts';
import { type RunningStage, startStage } from './stage.ts';
import { textProgress } from './terminal/progress.ts';
import { stopWithoutReader } from './terminal/reader-gone.ts';
import { readyText } from './terminal/ready.ts';
import { styleFor } from './terminal/style.ts';
import { visibleLines } from './terminal/visible.ts';
import type { SourceWatch } from './watch/watch-sources.ts';
import { watchStage } from './watch/watch-stage.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const interrupted = onInterrupt();
  try {
    const args = parseStartArguments(process.argv.slice(2));
    if (args.help) {
      process.stdout.write(`${START_HELP}\n`);
      return 0;
    }
    return await run(args, interrupted);
  } catch (error) {
    if (interrupted.aborted) return 130;
    report(error);
    return 1;
  }
}

async function run(
  { port, stateDir, json, watch }: StartArguments,
  interrupted: AbortSignal,
): Promise<number> {
  const started = performance.now();
  const style = styleFor(process.stdout);
  const out = json ? process.stderr : process.stdout;
  // Only once the stage is there: the start asks for its keys itself.
  let answered: (request: AnsweredRequest) => void = () => undefined;
  const stage = await startStage({
    stateDir,
    port,
    progress: textProgress(process.stderr, () => performance.now()),
    log: (line) => {
      const text = json ? rawLine(line) : readableLine(line, style);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    },
    warn: (text) => process.stderr.write(`edge: ${visibleLines(text, '      ')}\n`),
    answered: (request) => answered(request),
    signal: interrupted,
  });
  const seconds = (performance.now() - started) / 1000;
  const keys = keyNamesOf(stage);
  answered = async (request) =>
    out.write(`${requestLine(request, await keys.nameOf(request.authorization), styleFor(out))}\n`);
  out.write(readyText({ ...stage, runFile: stage.state.runFile, seconds }, styleFor(out)));
  const watched = watch ? await watchStage(stage, (text) => out.write(`${visibleLines(text)}\n`)) : undefined;
  return untilStopped(stage, interrupted, watched);
}

async function untilStopped(
  stage: RunningStage,
  interrupted: AbortSignal,
  watched: SourceWatch | undefined,
): Promise<number> {
  const asked = new Promise<'asked'>((resolve) => {
    if (interrupted.aborted) resolve('asked');
    interrupted.addEventListener('abort', () => resolve('asked'), { once: true });
  });
  const reason = await Promise.race([asked, stage.emulatorEnded.then(() => 'ended' as const)]);
  process.stderr.write(reason === 'asked' ? '\nStopping, and saving what it holds …\n' : '');
  // First, so that it starts no upload server after the stage has stopped its own.
  await watched?.stop();
  await stage.stop();
  if (reason === 'asked') return 0;
  throw new LocalRunError(
    `The AWS emulator stopped unexpectedly; its log is ${stage.state.emulator.logFile}.`,
  );
}

/** Repeats are ignored: npm passes on the Ctrl-C that the terminal has already sent, and stopping has a deadline. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  stopWithoutReader([process.stdout, process.stderr], () => controller.abort());
  return controller.signal;
}

function report(error: unknown): void {
  if (!(error instanceof LocalRunError)) {
    process.stderr.write(`${visibleLines(inspect(error))}\n`);
    return;
  }
  if (error.output !== undefined) process.stderr.write(`${visibleLines(error.output.trimEnd())}\n\n`);
  process.stderr.write(`${visibleLines(error.message)}\n`);
}
