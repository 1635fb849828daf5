import { writeFile } from 'node:fs/promises';
import { visible } from '../../local/terminal/text.ts';
import { type Admin, STACK_OPTION, stackNamed } from '../admin/admin.ts';
import { apiCommand, type TargetOptions, targetOf } from '../cli/api-command.ts';
import { type Cli, CommandFailed, Interrupted, UsageError } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';
import { type Result, verify } from './verify.ts';

export const verifyCommand = (cli: Cli, stages: DeployerStages) =>
  apiCommand(
    'verify',
    `Checks a deployment as callers see it: errors, headers and files. If the deployment offers the sandbox, also runs the
demo. Uses a temporary workspace. Requires a management key.`,
    ['verify --stage prod --key mk-… --report prod.md', 'verify'],
    'management_key',
  )
    .option(
      '--stage <stage>',
      'stage to check, such as prod; its URL is read from its stack with your AWS credentials',
    )
    .option(...STACK_OPTION)
    .option('--report <file>', 'write a report in Markdown to this file')
    .action(async ({ stage, stack, report: file, json, ...given }) => {
      if (stage !== undefined && stack !== undefined)
        throw new UsageError('Use --stage or --stack, not both');
      const { baseUrl, managementKey, back } = await addressOf(
        stack ?? (stage && stackNamed(stage, undefined)),
        given,
        cli,
        stages,
      );
      const tell = (result: Result) => json || cli.stdout.write(`${visible(resultLine(result))}\n`);
      const results = await triedAt({ baseUrl, managementKey, back }, cli, stages, tell);
      const verification = { baseUrl, at: cli.now(), results };
      if (json) cli.stdout.write(`${visible(JSON.stringify(verification))}\n`);
      if (file !== undefined) await writeFile(file, report(verification));
      refuseBroken(results);
    });

type Verifiable = Pick<Parameters<typeof verify>[0], 'baseUrl' | 'managementKey' | 'back'>;

/** Verifies a stage, and tells each result. @throws CommandFailed that names the broken promises */
export async function verifyStage(stage: Verifiable, cli: Cli, stages: DeployerStages): Promise<void> {
  const tell = (result: Result) => cli.stdout.write(`${visible(resultLine(result))}\n`);
  refuseBroken(await triedAt(stage, cli, stages, tell));
}

/** @throws Interrupted */
async function triedAt(
  stage: Verifiable,
  cli: Cli,
  stages: DeployerStages,
  tell: (result: Result) => unknown,
) {
  const { fetch, now, interrupted } = cli;
  const play = (key: string) => stages.play({ baseUrl: stage.baseUrl, key });
  const results = await verify({ ...stage, fetch, now, interrupted, play }, tell);
  if (interrupted.aborted) throw new Interrupted('Stopped; some checks may not have run');
  return results;
}

function refuseBroken(results: readonly Result[]): void {
  const broken = results.filter(({ outcome }) => outcome === 'failed').map(({ promise }) => promise);
  if (broken.length > 0)
    throw new CommandFailed(`Failed checks: ${broken.map((promise) => `“${promise}”`).join(', ')}`);
}

const resultLine = ({ outcome, promise, milliseconds, text }: Result): string =>
  `${outcome.padEnd(11)}  ${promise.padEnd(42)}  ${String(milliseconds).padStart(6)} ms  ${text}`.trimEnd();

async function addressOf(stack: string | undefined, given: TargetOptions, cli: Cli, stages: DeployerStages) {
  if (stack === undefined) {
    const { baseUrl, key } = await targetOf(given, 'management_key', cli);
    return { baseUrl, managementKey: key, back: undefined };
  }
  const { url, state, key = cli.environment.GENWAY_API_KEY } = given;
  if (url !== undefined || state !== undefined)
    throw new UsageError(
      'Do not use --url or --state with --stage or --stack, which make the command find the URL itself',
    );
  if (key === undefined) throw new UsageError('Set --key or GENWAY_API_KEY to a management key of the stage');
  const { baseUrl, back } = addressesOf(await stages.open(stack));
  return { baseUrl, managementKey: key, back };
}

/** If callers of a stage use API Gateway's own address, there is no other entrance to check. */
function addressesOf({ output }: Awaited<ReturnType<Admin['open']>>) {
  const baseUrl = output('ApiUrl');
  const back = output('BackUrl');
  return { baseUrl, back: back === baseUrl ? undefined : back };
}

interface Verification {
  readonly baseUrl: string;
  readonly at: Date;
  readonly results: readonly Result[];
}

/** A page to keep: which stage was checked, when, and with which result. */
export function report({ baseUrl, at, results }: Verification): string {
  const broken = results.filter(({ outcome }) => outcome === 'failed').length;
  const verdict = broken === 0 ? 'No check failed.' : `${broken} of ${results.length} checks failed.`;
  return [
    `# ${baseUrl}`,
    '',
    `Checked at ${at.toISOString()}. ${verdict}`,
    '',
    '| Check | Result | Time (ms) | Details |',
    '|---|---|---|---|',
    ...results.map(
      ({ promise, outcome, milliseconds, text }) =>
        `| ${promise} | ${outcome} | ${milliseconds} | ${inCell(text)} |`,
    ),
    '',
  ].join('\n');
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
