import { keepSamples } from './dashboard/metrics-file.ts';
import { samplesOfLine, samplesOfRequest } from './dashboard/samples.ts';
import { STACK } from './deployment/deploy.ts';
import { type AnsweredRequest, downloadLine } from './edge/answered-request.ts';
import { DOWNLOADS_PATH } from './edge/downloads.ts';
import { rawLine, readableLine } from './logs/log-format.ts';
import { keyNamesOf, requestLine } from './logs/request-line.ts';
import { type RunningStage, startStage } from './stage.ts';
import { LocalRunError } from './system/failure.ts';
import { stateFolder } from './system/state-folder.ts';
import { textProgress } from './terminal/progress.ts';
import { readyText } from './terminal/ready.ts';
import { styleFor, visibleLines } from './terminal/text.ts';
import { watchStage } from './watch/redeploy.ts';
import type { SourceWatch } from './watch/watch-sources.ts';

export interface UpOptions {
  /** 0 means any free port. */
  readonly port: number;
  readonly stateDir: string;
  readonly json: boolean;
  /** Redeploys functions when their sources change. */
  readonly watch: boolean;
  /** Opens the address of a page in the user's browser. @default opens nothing */
  readonly openPage?: (address: string) => Promise<void>;
  /** Settings that differ from those of the stage `local`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Runs until it is interrupted. Returns whether everything had started by then. @throws LocalRunError */
export async function up(options: UpOptions, interrupted: AbortSignal): Promise<'stopped' | 'interrupted'> {
  try {
    await run(options, interrupted);
    return 'stopped';
  } catch (error) {
    if (interrupted.aborted) return 'interrupted';
    throw error;
  }
}

async function run(options: UpOptions, interrupted: AbortSignal): Promise<void> {
  const { port, stateDir, json, watch, openPage, settings = {} } = options;
  const started = performance.now();
  const style = styleFor(process.stdout);
  const out = json ? process.stderr : process.stdout;
  // Set only once the stage is ready, because the start itself makes requests.
  let showRequest: (request: AnsweredRequest) => void = () => undefined;
  const warn = (of: string) => (text: string) =>
    process.stderr.write(`${of}: ${visibleLines(text, ' '.repeat(of.length + 2))}\n`);
  const count = keepSamples(stateFolder(stateDir).metrics, warn('metrics'));
  const stage = await startStage({
    stateDir,
    port,
    settings,
    progress: textProgress(process.stderr, () => performance.now()),
    log: (line) => {
      count(samplesOfLine(line));
      const text = json ? rawLine(line) : readableLine(line, style);
      if (text !== undefined) process.stdout.write(`${text}\n`);
    },
    warn: warn('edge'),
    answered: (request) => {
      count(samplesOfRequest(request, STACK, Date.now()));
      if (json && request.path.startsWith(DOWNLOADS_PATH))
        process.stdout.write(`${downloadLine(request, new Date())}\n`);
      showRequest(request);
    },
    signal: interrupted,
  });
  const seconds = (performance.now() - started) / 1000;
  const keys = keyNamesOf(stage);
  showRequest = async (request) =>
    out.write(`${requestLine(request, await keys.nameOf(request.authorization), styleFor(out))}\n`);
  out.write(readyText({ ...stage, runFile: stage.state.runFile, seconds }, styleFor(out)));
  // The entrance leads a browser to the console, or to the reference where there is none.
  await openPage?.(new URL('/', stage.baseUrl).href).catch((error: Error) => warn('--open')(error.message));
  const watched = watch ? await watchStage(stage, (text) => out.write(`${visibleLines(text)}\n`)) : undefined;
  await untilStopped(stage, interrupted, watched);
}

async function untilStopped(
  stage: RunningStage,
  interrupted: AbortSignal,
  watched: SourceWatch | undefined,
): Promise<void> {
  const asked = new Promise<'asked'>((resolve) => {
    if (interrupted.aborted) resolve('asked');
    interrupted.addEventListener('abort', () => resolve('asked'), { once: true });
  });
  const reason = await Promise.race([asked, stage.emulatorEnded.then(() => 'ended' as const)]);
  process.stderr.write(reason === 'asked' ? '\nStopping, and saving the data …\n' : '');
  // First, so that it does not start an upload server after the stage has stopped its own.
  await watched?.stop();
  await stage.stop();
  if (reason === 'asked') return;
  throw new LocalRunError(
    `The AWS emulator stopped unexpectedly. See its log: ${stage.state.emulator.logFile}`,
  );
}
