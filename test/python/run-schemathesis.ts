import { join } from 'node:path';
import { type CommandOptions, type FinishedCommand, runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from './packages.ts';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

export interface Fuzzing {
  /** The address of the API and of its description. */
  readonly baseUrl: string;
  readonly key: string;
  readonly seed: string;
  /** The number of requests for each operation in the last phase. */
  readonly examples: string;
  readonly phases: readonly ('examples' | 'coverage' | 'fuzzing')[];
  /** Selects operations, with schemathesis's own options. @default all */
  readonly only?: Readonly<Partial<Record<'include-method' | 'include-tag-regex', string>>>;
}

/** Sends valid and invalid requests, made from the description, and compares the answers with it. */
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
