import type { KMSClient } from '@aws-sdk/client-kms';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Command } from '@commander-js/extra-typings';
import type { Offer } from '../../functions/videos/catalogue/offer.ts';
import { shellWord } from '../../local/terminal/text.ts';
import { examplesText, folder } from '../cli/api-command.ts';

/** The stack of one stage, and its account. */
export interface Deployment {
  readonly client: DynamoDBDocumentClient;
  readonly kms: KMSClient;
  readonly lambda: LambdaClient;
  readonly scheduler: SchedulerClient;
  readonly secrets: SecretsManagerClient;
  readonly sqs: SQSClient;
  /** @throws CommandFailed if the stack has no such output */
  output(name: string): string;
}

/** What every admin command can use. */
export interface Admin {
  open(stage: string): Promise<Deployment>;
  /** Makes the emulator of a local run the AWS that is opened. */
  enter(stateDir: string): Promise<unknown>;
  /** The options by which another command finds the same stage. */
  optionsOf(asked: Pick<NamedStage, 'stage' | 'state'>): string;
  /** The name of a stage's stack. */
  stackOf(stage: string): string;
  /** The rows that a stage's settings add to the catalogue. Those of an app's stack are not known here. */
  modelsOf(stage: string): readonly Offer[];
  /** Prints one line for the user. */
  print(line: string): void;
  /** Prints one line beside the output, to say what is under way. */
  tell(line: string): void;
  /** Rejects when the command is interrupted. */
  pause(milliseconds: number): Promise<void>;
  now(): Date;
  random(size: number): Uint8Array;
}

/** What `--stack` says, for stacks that are called otherwise. */
export const STACK_OPTION = [
  '--stack <name>',
  'name of the stack, if the setting own.namePrefix or your own CDK app makes it differ from Genway-<stage>',
] as const;

/** What `--config` says, for stages whose settings are not in this checkout. */
export const CONFIG_OPTION = [
  '--config <file>',
  'settings file, such as prod.jsonc; its name is the name of the stage and overrides --stage',
  folder,
] as const;

export const stackNamed = (stage: string, given: string | undefined): string => given ?? `Genway-${stage}`;

interface NamedStage {
  readonly stage: string;
  readonly state?: string | undefined;
  readonly stack?: string | undefined;
  readonly config?: string | undefined;
}

/** The options that name a stage, for a line that is there to be pasted. */
export function stageOptions({ stage, state, stack, config }: NamedStage): string {
  const given = Object.entries({ state, stack, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  return given.join(' ') || `--stage ${shellWord(stage)}`;
}

/** A command that works on a stage with AWS credentials. */
export const adminCommand = (name: string, description: string, examples: readonly string[]) =>
  new Command(name)
    .description(description)
    .option('--stage <stage>', 'stage, such as prod', 'dev')
    .option('--state <folder>', 'data folder of a running local stage, in place of --stage', folder)
    .addHelpText('after', examplesText(examples.map((example) => `admin ${example}`)));
