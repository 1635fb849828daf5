import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import {
  CloudFormationClient,
  DeleteChangeSetCommand,
  DeleteStackCommand,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { ROOT } from '../../lib/bundling/folders.ts';
import { readStage, type StageConfig, stageFile, titleOf } from '../../lib/stage/config.ts';
import { resourceEvent } from '../../local/deployment/deploy.ts';
import { LocalRunError } from '../../local/system/failure.ts';
import { runCommand } from '../../local/system/run-command.ts';
import type { PlannedChange } from '../changes/command.ts';
import { readChanges } from '../changes/read-changes.ts';
import { CommandFailed } from '../cli/cli.ts';
import { findStack, isFirst } from '../doctor/stack.ts';
import { type IdleCosts, idleCosts } from './idle-costs.ts';
import { REGIONS, type Region } from './prices.ts';

type Detail = (text: string) => void;

/** What a deployment would do. */
export interface Plan {
  readonly isFirst: boolean;
  readonly changes: readonly PlannedChange[];
  /** By the list of this region, because Genway does not know the prices of every region. */
  readonly idle: IdleCosts;
  readonly pricedIn: Region;
}

/** Deploys one stage by the CDK's own CLI. What is executed is the change set that was shown. */
export interface Deployer {
  readonly config: StageConfig;
  readonly stack: string;
  readonly region: string;
  /** Publishes what the stage consists of, and prepares the change set. */
  prepare(detail: Detail): Promise<Plan>;
  execute(detail: Detail): Promise<void>;
  /** Publishes the same and deploys nothing. @returns the address of the template */
  publish(detail: Detail): Promise<string>;
  /** Removes the change set, if there is one, so that nobody executes it later, and the empty stack that it has created. */
  discard(): Promise<void>;
  outputs(): Promise<Readonly<Record<string, string>>>;
  close(): void;
}

/** It reads better whole: what each step asks of the CDK, in one view. @throws WrongSettings */
export async function openDeployer(file: string, now: Date, signal: AbortSignal): Promise<Deployer> {
  const path = resolve(file);
  const config = readStage(stageFile({ stage: '', config: path }));
  const stack = titleOf(config);
  const client = new CloudFormationClient(config.region === undefined ? {} : { region: config.region });
  const region = await client.config.region();
  const changeSet = `genway-${now.getTime()}`;
  const out = mkdtempSync(join(tmpdir(), 'genway-deploy-'));
  const named = ['--change-set-name', changeSet, '--require-approval', 'never'];
  const cdk = (args: readonly string[], detail: Detail) => runCdk(args, { detail, signal, region });
  const app = ['--context', `config=${path}`, '--output', out];
  let hadStack = true;
  return {
    config,
    stack,
    region,
    async prepare(detail) {
      const found = await findStack(stack, region);
      hadStack = found !== undefined;
      await cdk(['deploy', stack, ...app, '--method=prepare-change-set', ...named], detail);
      const pricedIn = REGIONS.find((one) => one === region) ?? REGIONS[0];
      const idle = idleCosts(templatesIn(out), pricedIn);
      const changes = await readChanges(stack, changeSet, client);
      return { isFirst: isFirst(found), changes, idle, pricedIn };
    },
    execute: (detail) =>
      cdk(['deploy', stack, '--app', out, '--method=execute-change-set', ...named], detail),
    async publish(detail) {
      await cdk(['publish-assets', stack, ...app, '--unstable=publish-assets'], detail);
      const manifest = v.parse(manifestSchema, readFileSync(join(out, 'manifest.json'), 'utf8'));
      const { stackTemplateAssetObjectUrl: place = '' } = manifest.artifacts[stack]?.properties ?? {};
      const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
      return place.replace('s3://', `https://s3.${region}.${domain}/`);
    },
    async discard() {
      await client
        .send(new DeleteChangeSetCommand({ StackName: stack, ChangeSetName: changeSet }))
        .catch((error) => {
          // The preparation may have ended before it made one.
          if (!(error instanceof Error && /does not exist/.test(error.message))) throw error;
        });
      if (!hadStack) await client.send(new DeleteStackCommand({ StackName: stack }));
    },
    async outputs() {
      const { Outputs = [] } = (await findStack(stack, region)) ?? {};
      return Object.fromEntries(
        Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      );
    },
    close: () => rmSync(out, { recursive: true }),
  };
}

const manifestSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    artifacts: v.record(
      v.string(),
      v.object({
        properties: v.optional(v.object({ stackTemplateAssetObjectUrl: v.optional(v.string()) })),
      }),
    ),
  }),
);

const templatesIn = (folder: string): unknown[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));

interface Run {
  readonly detail: Detail;
  readonly signal: AbortSignal;
  readonly region: string;
}

async function runCdk(args: readonly string[], { detail, signal, region }: Run): Promise<void> {
  const quiet = ['--ci', '--no-color', '--no-notices'];
  const { code, output } = await runCommand(process.execPath, [cdkProgram(), ...args, ...quiet], {
    // Its cdk.json names the app, and the CDK's feature flags by which the stages are tested.
    cwd: ROOT,
    env: {
      ...process.env,
      // The app runs on the Node.js of this command.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      AWS_REGION: region,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    },
    onLine: (line) => {
      const event = resourceEvent(line);
      if (event !== undefined) detail(event);
    },
    signal,
  });
  signal.throwIfAborted();
  if (code !== 0) throw new LocalRunError('The CDK failed; see its output above.', { output });
}

function cdkProgram(): string {
  try {
    return createRequire(join(ROOT, 'package.json')).resolve('aws-cdk/bin/cdk');
  } catch (cause) {
    throw new CommandFailed(
      'The AWS CDK, which this command needs, is not installed: run npm install aws-cdk',
      { cause },
    );
  }
}
