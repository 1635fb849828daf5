import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { DEFAULT_STATE_FOLDER, stateFolder } from '../../local/system/state-folder.ts';
import { shellWord, visible } from '../../local/terminal/text.ts';
import { Api } from './api.ts';
import { type Cli, UsageError } from './cli.ts';

/** Which of a local stage's two keys a command uses. */
type KeyKind = 'api_key' | 'management_key';

/** What a command takes as its key. */
const KEYS = { api_key: 'API key or management key', management_key: 'management key' } as const;

/** A command that calls a deployment. `examples` are the arguments after `genway`. */
export function targetCommand(
  name: string,
  description: string,
  examples: readonly string[],
  kind: KeyKind = 'api_key',
) {
  return new Command(name)
    .description(description)
    .option('--url <url>', 'URL of the API, ending in /api/v1 (default: $GENWAY_URL, or the local stage)')
    .option('--key <key>', `${KEYS[kind]} (default: $GENWAY_API_KEY, or a key of the local stage)`)
    .option(
      '--state <folder>',
      'data folder of the local stage to call; overrides GENWAY_URL and GENWAY_API_KEY',
      folder,
    )
    .addHelpText('after', examplesText(examples));
}

/** A command that can also print its results for programs. */
export const apiCommand = (...named: Parameters<typeof targetCommand>) =>
  targetCommand(...named).option(
    '--json',
    'print results as JSON on stdout, one object per line, and nothing else',
  );

/** Reads the argument of an option. */
export function folder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return resolve(text);
}

export const examplesText = (examples: readonly string[]): string =>
  `\nExamples:\n${examples.map((example) => `  genway ${example}`).join('\n')}`;

/** The deployment that the options, the environment or the local stage name. @throws UsageError */
export async function openApi(options: TargetOptions, kind: KeyKind, cli: Cli): Promise<Api> {
  const { baseUrl, key } = await targetOf(options, kind, cli);
  return new Api(baseUrl, key, cli.fetch, cli.interrupted);
}

/** Prints lines for people, escaped, or the whole response as JSON for programs. */
export function show(
  answer: unknown,
  lines: readonly string[],
  json: boolean | undefined,
  { stdout }: Cli,
): void {
  // JSON escapes control characters except those of the second range; `visible` escapes these in the same way.
  const shown = json ? [JSON.stringify(answer)] : lines;
  for (const line of shown) stdout.write(`${visible(line)}\n`);
}

const localRunSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ base_url: v.string(), management_key: v.string(), api_key: v.string() }),
);
/** A running local stage, as its run file describes it. */
type LocalRun = Readonly<v.InferOutput<typeof localRunSchema>>;

export interface Target {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
}

export interface TargetOptions {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly state?: string | undefined;
}

/** The options by which another command calls the same deployment; a key is not repeated. */
export const targetOptions = ({ url, key, state }: TargetOptions): string =>
  [
    ...(url === undefined ? [] : [` --url ${shellWord(url)}`]),
    ...(key === undefined ? [] : [' --key KEY']),
    ...(state === undefined ? [] : [` --state ${shellWord(state)}`]),
  ].join('');

/** @throws UsageError */
export const targetOf = async (options: TargetOptions, kind: KeyKind, cli: Cli): Promise<Target> =>
  findTarget(options, cli.environment, await readLocalRun(options.state), kind);

/** The local stage of the named folder; else of the current one, or of the checkout that contains this command. */
async function readLocalRun(state: string | undefined): Promise<LocalRun | undefined> {
  const folders = state === undefined ? [resolve('.genway'), DEFAULT_STATE_FOLDER] : [state];
  for (const each of folders) {
    const text = await readFile(stateFolder(each).runFile, 'utf8').catch(() => undefined);
    if (text !== undefined) return v.parse(localRunSchema, text);
  }
  return undefined;
}

/**
 * The deployment that a command calls: from its options, else from the environment, else the running local stage. A
 * named state folder is an option, so that the environment does not redirect the command.
 *
 * @throws UsageError
 */
export function findTarget(
  options: TargetOptions,
  environment: Readonly<Record<string, string | undefined>>,
  localRun: LocalRun | undefined,
  kind: KeyKind,
): Target {
  const { state } = options;
  if (state !== undefined && (options.url !== undefined || options.key !== undefined)) {
    throw new UsageError('Use --state, or --url with --key, not both');
  }
  const named = state === undefined ? environment : {};
  const { url = named.GENWAY_URL, key = named.GENWAY_API_KEY } = options;
  // A key must only go to the address that it was given with.
  if ((url === undefined) !== (key === undefined)) {
    throw new UsageError('Set both --url and --key (or GENWAY_URL and GENWAY_API_KEY), or neither');
  }
  if (url !== undefined && key !== undefined)
    return {
      baseUrl: httpUrl(url, options.url === undefined ? 'GENWAY_URL' : '--url').replace(/\/$/, ''),
      key,
    };
  if (localRun === undefined) {
    const [where, which, instead] =
      state === undefined
        ? ['', '', '']
        : [` in ${state}`, ` -- --state ${shellWord(state)}`, ' instead of --state'];
    throw new UsageError(
      `No running local stage was found${where}. In a checkout, start one with npm start${which}, or set --url and --key${instead}`,
    );
  }
  return { baseUrl: localRun.base_url, key: localRun[kind] };
}

export function httpUrl(text: string, name: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`${name} must be an http or https URL; it is ${text}`);
  }
  return text;
}

/** Reads the argument of an option. */
export function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at most 10 digits.');
}
