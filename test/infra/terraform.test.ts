import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Capability,
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ROOT } from '../../lib/bundling/folders.ts';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { DrilledStage } from '../drills/drilled-stage.ts';

const variablesSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ stack_name: v.string(), template_url: v.string() }),
);
const capabilitySchema = v.array(v.enum(Capability));

const page = readFileSync(join(ROOT, 'docs/terraform.md'), 'utf8');
const [, example = ''] = /```hcl\n(.*?)```/s.exec(page) ?? [];
/** What the example gives an argument of the stack. */
const argument = (name: string) => new RegExp(`^ +${name} += (.+)$`, 'm').exec(example)?.[1];

test('docs/terraform.md deploys the published template, with the capabilities that it names', async () => {
  expect([argument('name'), argument('template_url')]).toEqual(['var.stack_name', 'var.template_url']);
  const Capabilities = v.parse(capabilitySchema, JSON.parse(argument('capabilities') ?? ''));
  await using drilled = await DrilledStage.start();
  await drilled.bootstrap();
  const folder = mkdtempSync(join(tmpdir(), 'genway-terraform-'));
  const config = join(folder, 'mine.jsonc');
  const publish = async (settings: object) => {
    const common = {
      platform: 'emulator',
      edge: 'none',
      largeUploads: 'off',
      data: 'destroy',
      allowedPrivateHosts: ['127.0.0.1', 'localhost'],
    };
    writeFileSync(config, JSON.stringify({ ...common, ...settings }));
    const program = [join(ROOT, 'bin/genway.ts'), 'publish', '--config', config];
    const env = { ...awsEnvironment(drilled.aws), CDK_VALIDATION: 'false' };
    const { code, output } = await runCommand(process.execPath, program, { cwd: folder, env });
    expect([code, output]).toEqual([0, expect.stringContaining('template_url')]);
    return v.parse(
      variablesSchema,
      output.split('\n').find((line) => line.startsWith('{')),
    );
  };
  const client = new CloudFormationClient(drilled.aws);
  const waiting = { client, maxWaitTime: 300, minDelay: 1, maxDelay: 2 };
  const first = await publish({});
  const StackName = first.stack_name;
  await client.send(new CreateStackCommand({ StackName, TemplateURL: first.template_url, Capabilities }));
  await waitUntilStackCreateComplete(waiting, { StackName });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const api = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'ApiId')?.OutputValue;
  const models = await fetch(`${drilled.aws.endpoint}/_aws/execute-api/${api}/api/v1/videos/models`);
  expect(models.status).toBe(200);

  // Of one function, because the emulator updates each in turn.
  const change = { reservedConcurrency: { poller: 100 } };
  const second = await publish(change);
  expect(await publish(change)).toEqual(second);
  expect(second.template_url).not.toBe(first.template_url);
  await client.send(new UpdateStackCommand({ StackName, TemplateURL: second.template_url, Capabilities }));
  await waitUntilStackUpdateComplete(waiting, { StackName });
  rmSync(folder, { recursive: true });
}, 900_000);
