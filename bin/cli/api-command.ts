import { Command } from '@commander-js/extra-typings';
import { visible } from '../../local/terminal/text.ts';
import { Api } from './api.ts';
import type { Cli } from './cli.ts';
import { findTarget, type KeyKind, readLocalRun, type TargetOptions } from './target.ts';

/** A command that calls a deployment. `examples` are the arguments after `genway`. */
export function apiCommand(name: string, description: string, examples: readonly string[]) {
  return new Command(name)
    .description(description)
    .option(
      '--url <url>',
      "the API's URL; it ends in /api/v1 (default: $GENWAY_URL, or the running local stage)",
    )
    .option('--key <key>', "a key (default: $GENWAY_API_KEY, or the running local stage's)")
    .option('--json', 'print the response as one line of JSON, and nothing else on stdout')
    .addHelpText('after', examplesText(examples));
}

export const examplesText = (examples: readonly string[]): string =>
  `\nExamples:\n${examples.map((example) => `  genway ${example}`).join('\n')}`;

/** The deployment that the options, the environment or the local stage name. @throws UsageError */
export async function openApi(options: TargetOptions, kind: KeyKind, cli: Cli): Promise<Api> {
  const { baseUrl, key } = findTarget(options, cli.environment, await readLocalRun(), kind);
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
