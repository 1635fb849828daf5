import { join } from 'node:path';
import { type CommandOptions, type FinishedCommand, runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

export interface Fuzzing {
  /** Where the API and its description are. */
  readonly baseUrl: string;
  readonly key: string;
  readonly seed: string;
  /** How many requests an operation gets in the last phase. */
  readonly examples: string;
  readonly phases: readonly ('examples' | 'coverage' | 'fuzzing')[];
  /** Which operations, in schemathesis's own words. @default all */
  readonly only?: Readonly<Partial<Record<'include-method' | 'include-tag-regex', string>>>;
}

/** Sends operations what the description allows and what it does not, and compares what they answer with it. */
export async function runSchemathesis(
  { baseUrl, key, seed, examples, phases, only }: Fuzzing,
  options: CommandOptions,
): Promise<FinishedCommand> {
  const given = {
    url: baseUrl,
    header: `Authorization: Bearer ${key}`,
    checks: CHECKS.join(),
    phases: phases.join(),
    'max-examples': examples,
    seed,
    'generation-database': 'none',
    'request-timeout': '60',
    ...only,
  };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  return runCommand(
    join(await pythonPackages(), 'schemathesis'),
    ['run', `${baseUrl}/openapi.json`, ...args, '--continue-on-failure'],
    options,
  );
}
