import { inspect } from 'node:util';
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ApiError } from '../../functions/http/errors.ts';
import { DemoError } from '../../local/demo/demo-api.ts';
import { LocalRunError } from '../../local/system/failure.ts';
import { visibleLines } from '../../local/terminal/text.ts';
import { ApiUnavailable } from './api.ts';
import {
  type Cli,
  CommandFailed,
  Differs,
  EXIT,
  Interrupted,
  NoVideo,
  Unconfirmed,
  UsageError,
} from './cli.ts';

/** Runs one command. @returns its exit code. A wrong command line does nothing. */
export async function run(args: readonly string[], cli: Cli, program: CommandUnknownOpts): Promise<number> {
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // commander has already printed its help or what is wrong with the command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (cli.interrupted.aborted && !(error instanceof Interrupted)) return EXIT.interrupted;
    cli.stderr.write(`${visibleLines(told(error))}\n`);
    return exitCode(error);
  }
}

function exitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ApiUnavailable || (error instanceof DemoError && error.isPassing))
    return EXIT.unavailable;
  if (error instanceof NoVideo) return EXIT.noVideo;
  if (error instanceof Differs) return EXIT.differs;
  if (error instanceof Unconfirmed) return EXIT.unconfirmed;
  return error instanceof Interrupted ? EXIT.interrupted : EXIT.failed;
}

/** The API's own errors come from its rules, which admin commands apply too. */
const EXPECTED = [CommandFailed, LocalRunError, DemoError, ApiError];
/** Known by its name, because its module brings the whole catalogue along. */
const WRONG_SETTINGS = 'WrongSettings';

/** One sentence for a known error; for an unexpected one, everything that helps to find its cause. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  if (error instanceof LocalRunError && error.output !== undefined) {
    return `${error.output.trimEnd()}\n\n${error.message}`;
  }
  if (isUnsetForAws(error)) return awsAdvice(error);
  if ('$metadata' in error && isUnreachable(error)) return `Could not reach AWS. ${networkAdvice(error)}`;
  const isExpected =
    EXPECTED.some((each) => error instanceof each) ||
    error.name === WRONG_SETTINGS ||
    'code' in error ||
    '$metadata' in error;
  return isExpected ? error.message : inspect(error);
}

const NO_CREDENTIALS = 'CredentialsProviderError';
const SIGN_IN = 'Set AWS_PROFILE, or sign in (aws sso login)';

/** What to do if the AWS SDK finds no region or no credentials, or no way to AWS. */
export function awsAdvice(error: Error): string {
  const { name, message } = error;
  if (isUnreachable(error)) {
    return `Could not reach AWS, so your credentials were not checked. ${networkAdvice(error)}`;
  }
  if (name === NO_CREDENTIALS) return `No valid AWS credentials were found. ${SIGN_IN}. Error: ${message}`;
  if (message === 'Region is missing') return 'No region is set. Set AWS_REGION, or a region in the profile';
  return `AWS did not confirm your credentials. ${SIGN_IN}. Error: ${message}`;
}

const networkAdvice = (error: Error): string =>
  `Check the network, the VPN, the region, and AWS_ENDPOINT_URL if it is set. Error: ${error.message || String('code' in error && error.code)}`;

/** The system's own codes, with which no request has left or none has arrived. */
const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EPROTO|CERT_|UNABLE_TO|SELF_SIGNED)/;

export const isUnreachable = (error: Error): boolean =>
  error.name === 'TimeoutError' || ('code' in error && UNREACHABLE.test(String(error.code)));

/** Whether the user must set the region or credentials. The SDK has no error class for a missing region. */
const isUnsetForAws = ({ name, message }: Error): boolean =>
  message === 'Region is missing' || name === NO_CREDENTIALS;
