import { parseArgs } from 'node:util';

export const HELP = `npm run webhooks -- listen [options]

Shows a workspace's webhook deliveries as they happen, for anyone without a public URL. With --forward it also
posts each event to a URL on this machine, signed like a real delivery. Ctrl-C ends it.

  --forward URL      where each event's body is posted, such as http://localhost:3000/hook
  --workspace NAME   the workspace's id or slug (default: default)
  --json             print each event's body as one line on stdout, and everything else on stderr
  --url URL          the API's URL; it ends in /api/v1 (default: $GENWAY_URL, or the running local stage)
  --key KEY          a management key (default: $GENWAY_API_KEY, or the running local stage's)
  --help             this text

Each event is forwarded once, whatever the answer. The secret that signs it is made at the start and printed.

Exit codes: 0 ended by Ctrl-C, 1 the API refused or could not be reached at the start, 2 the command line is wrong.`;

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A running local stage, as it writes it down. */
export interface LocalRun {
  readonly base_url: string;
  readonly management_key: string;
}

export interface ListenOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  readonly workspace: string;
  readonly forward: string | undefined;
  readonly json: boolean;
}

const OPTIONS = {
  forward: { type: 'string' },
  workspace: { type: 'string', default: 'default' },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * What to listen to, or `help` when that was asked for.
 *
 * @throws UsageError
 */
export function parseCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  localRun: LocalRun | undefined,
): ListenOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  if (positionals.join(' ') !== 'listen') {
    throw new UsageError(
      positionals.length === 0
        ? 'Give a command: listen'
        : `Unknown command: ${positionals.join(' ')}; use listen`,
    );
  }
  const { url = environment.GENWAY_URL, key = environment.GENWAY_API_KEY } = values;
  // A key goes to the address that it was given for, and to no other.
  if ((url === undefined) !== (key === undefined)) {
    throw new UsageError('Give both --url and --key (or GENWAY_URL and GENWAY_API_KEY), or neither');
  }
  const target = url === undefined || key === undefined ? fromLocalRun(localRun) : { url, key };
  return {
    baseUrl: httpUrl(target.url, '--url').replace(/\/$/, ''),
    key: target.key,
    workspace: values.workspace,
    forward: values.forward === undefined ? undefined : httpUrl(values.forward, '--forward'),
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function fromLocalRun(run: LocalRun | undefined): { url: string; key: string } {
  if (run === undefined) {
    throw new UsageError('No local stage is running: start one with npm start, or give --url and --key');
  }
  return { url: run.base_url, key: run.management_key };
}

function httpUrl(text: string, option: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`${option} must be an http or https URL; it is ${text}`);
  }
  return text;
}
