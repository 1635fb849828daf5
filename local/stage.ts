import type { KeyObject } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { UNAUTHENTICATED } from '../functions/fair-shares.ts';
import {
  UnauthenticatedBudget,
  type UnauthenticatedLimits,
} from '../functions/gate/unauthenticated-budget.ts';
import { CONSOLE_PATH } from '../lib/console/page-headers.ts';
import { stageConfig } from '../lib/stage/config.ts';
import { deploy, STACK, STAGE, type StackOutputs } from './deployment/deploy.ts';
import { createFirstKey, seedKeys } from './deployment/seed-keys.ts';
import type { AnsweredRequest } from './edge/answered-request.ts';
import { downloadsUrl } from './edge/downloads.ts';
import { type Edge, edgeSecret, openEdge } from './edge/edge.ts';
import { edgeRouter, LINK_KEY, type Origins } from './edge/router.ts';
import { sandboxKey, withSandboxCalls } from './edge/sandbox-calls.ts';
import { type AwsAccess, accessTo, announcedAccess } from './emulator/aws-access.ts';
import { type Emulator, startEmulator } from './emulator/emulator.ts';
import { installEmulator } from './emulator/install.ts';
import { type FunctionLogLine, type ReadLogs, readCloudWatchLogs } from './logs/log-lines.ts';
import { type StateFolder, stateFolder, writePrivateJson } from './system/state-folder.ts';
import { type Progress, silentProgress } from './terminal/progress.ts';
import { startUploadServer } from './upload-server/upload-server.ts';

export interface StageOptions {
  readonly stateDir: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Settings that differ from those of the stage `local`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** @default silent */
  readonly progress?: Progress;
  /** Gets every line of every function. @default dropped */
  readonly log?: (line: FunctionLogLine) => void;
  /** Gets a message when a request fails between the edge and the functions. @default dropped */
  readonly warn?: (text: string) => void;
  /** Gets every request after its response has ended. @default dropped */
  readonly answered?: (request: AnsweredRequest) => void;
  /** How many 401s an address gets before it gets a 429. @default as at the upload server */
  readonly unauthenticated?: UnauthenticatedLimits;
  /** Aborts a start that is still running. */
  readonly signal?: AbortSignal;
}

/** All of Genway on this machine, deployed and ready. */
export interface RunningStage {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  /** The address of the console; undefined if the settings leave it out. */
  readonly consoleUrl: string | undefined;
  /** The servers behind that address. */
  readonly origins: Origins;
  /** Access to the emulator's AWS, as its root. */
  readonly aws: AwsAccess;
  readonly outputs: StackOutputs;
  readonly managementKey: string;
  readonly apiKey: string;
  readonly state: StateFolder;
  /** Stops the upload server and starts the current build. */
  restartUploads(): Promise<void>;
  /** Settles when the emulator has ended. That should not happen before `stop`. */
  readonly emulatorEnded: Promise<unknown>;
  /** Stops everything; the data is kept. */
  stop(): Promise<void>;
}

/** @throws LocalRunError with a sentence for the user; then nothing is left running */
export async function startStage(options: StageOptions): Promise<RunningStage> {
  const { stateDir, port, warn = ignore, answered = ignore, unauthenticated = UNAUTHENTICATED } = options;
  const state = stateFolder(stateDir);
  await using parts = new AsyncDisposableStack();
  const behindTheEdge = parts.use(new AsyncDisposableStack());
  // The edge is the first, so that a taken port is found before anything else starts.
  const { text: secret, sha256 } = await edgeSecret(state);
  const budget = new UnauthenticatedBudget(unauthenticated, () => new Date());
  const edge = await openEdge({ port, secret, warn, answered, budget });
  // Disconnect callers first: then nothing behind the edge waits for the rest of an upload.
  parts.defer(() => edge.close());
  const downloads = { url: downloadsUrl(edge.url), keyPairId: LINK_KEY };
  const key = await sandboxKey(secret);
  const videos = withSandboxCalls(stageConfig(STAGE).videos, edge.url, key);
  const settings = { videos, ...options.settings, edgeSecretSha256: [sha256], downloads };
  const stage = await startBehind({ edge, key }, state, { ...options, settings }, behindTheEdge);
  const running = parts.move();
  return { ...stage, state, stop: () => running.disposeAsync() };
}

async function startBehind(
  { edge, key }: { readonly edge: Edge; readonly key: KeyObject },
  state: StateFolder,
  { settings, progress = silentProgress, log = ignore, warn = ignore, signal }: StageOptions,
  parts: AsyncDisposableStack,
): Promise<Omit<RunningStage, 'state' | 'stop'>> {
  await mkdir(state.root, { recursive: true });
  const { access: aws, ended, readLogs, stop } = await obtainEmulator(state, progress, signal);
  parts.defer(stop);
  // A killed run has left this file. The state belongs to us only now, when our emulator holds it.
  await rm(state.runFile, { force: true });

  const outputs = await progress.step('Deploying the CDK app', (detail) =>
    deploy(aws, { state, settings, detail, signal }),
  );
  const uploads = await startUploadServer(aws, outputs.UploadEnvironment, log);
  parts.defer(uploads.stop);
  const origins = { emulator: aws.endpoint, apiId: outputs.ApiId, uploads: uploads.url };
  const { console: hasConsole, securityContact, providerCallbacks } = stageConfig(STAGE, settings);
  const behind = { aws, outputs, origins, edge: edge.url, hasConsole, securityContact };
  edge.serve(edgeRouter({ ...behind, sandboxKey: key, warn }), providerCallbacks);

  const baseUrl = `${edge.url}/api/v1`;
  const keys = await progress
    .step('Seeding keys', () => seedKeys(state, baseUrl, () => createFirstKey(aws, outputs, new Date())))
    // Only after the step, because a log line would break into its line; also after a failure, which the logs explain.
    .finally(() => parts.defer(readLogs(log).stop));
  signal?.throwIfAborted();
  await announceStage(state, { baseUrl, aws, ...keys });
  parts.defer(() => rm(state.runFile, { force: true }));
  const consoleUrl = hasConsole ? `${edge.url}${CONSOLE_PATH}` : undefined;
  const { restart: restartUploads } = uploads;
  return { baseUrl, consoleUrl, origins, aws, outputs, ...keys, restartUploads, emulatorEnded: ended };
}

async function obtainEmulator(
  state: StateFolder,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Emulator> {
  const { AWS_ENDPOINT_URL: named } = process.env;
  if (named !== undefined && named !== '') {
    const access = accessTo(named);
    const readLogs: ReadLogs = (deliver) => readCloudWatchLogs(access, STACK, deliver);
    return { access, ended: new Promise(ignore), readLogs, stop: async () => undefined };
  }
  const program = await progress.step('Finding the AWS emulator', (detail) =>
    installEmulator(detail, signal),
  );
  return progress.step('Starting the AWS emulator', () => startEmulator(program, state, signal));
}

/** Writes what other processes of this user need to call the stage. */
export async function announceStage(
  state: StateFolder,
  { baseUrl, aws, managementKey, apiKey }: Pick<RunningStage, 'baseUrl' | 'aws' | 'managementKey' | 'apiKey'>,
): Promise<void> {
  await writePrivateJson(state.runFile, {
    base_url: baseUrl,
    management_key: managementKey,
    api_key: apiKey,
    pid: process.pid,
    aws: announcedAccess(aws),
  });
}

function ignore(): void {
  // The default for callers that do not want these messages.
}
