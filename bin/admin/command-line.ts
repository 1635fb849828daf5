import { parseArgs } from 'node:util';

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The option that every command takes. */
export const STAGE_OPTION = { stage: { type: 'string', default: 'dev' } } as const;

type OptionSpecs = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** @throws UsageError */
export function parseCommandLine<const Options extends OptionSpecs>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(reason.split('\n')[0], { cause });
  }
}

/** The one argument of a command. */
export function onlyArgument(positionals: readonly string[], what: string): string {
  const [argument, ...more] = positionals;
  if (argument === undefined) throw new UsageError(`Give ${what}`);
  if (more.length > 0) throw new UsageError(`Give only one argument; got: ${positionals.join(' ')}`);
  return argument;
}

export function noArguments(positionals: readonly string[]): void {
  if (positionals.length > 0)
    throw new UsageError(`This command takes no argument; got: ${positionals.join(' ')}`);
}
