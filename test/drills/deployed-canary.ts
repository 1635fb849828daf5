import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { InvokeCommand, LambdaClient, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { openReceiver } from '../../local/demo/receiver.ts';
import { STACK } from '../../local/deployment/deploy.ts';
import type { DrilledStage } from './drilled-stage.ts';

/** The canary has ended by then, so only its webhook can still arrive. */
const LONGEST_WAIT_MS = 60_000;

/** The settings that give a stage without an edge a canary. */
export const WITH_CANARY = { canary: true, domain: { name: 'genway.example.com' } };

/**
 * Runs the deployed canary with its role, secret and key. Two of its variables differ from AWS: the stage's domain
 * leads nowhere here, and the emulator gives functions no address. So a local server receives the webhook and passes it
 * to the deployed receiver.
 */
export async function runDeployedCanary(stage: DrilledStage): Promise<void> {
  const lambda = new LambdaClient(stage.aws);
  await stage.genway('admin', 'create-canary-key');
  const { FunctionName, Environment } = await stage.function('run-canary');
  const { FunctionName: receive = '' } = await stage.function('receive-canary-webhook');
  const receiver = await openReceiver();
  try {
    const Variables = {
      ...Environment?.Variables,
      CANARY_TARGET: stage.baseUrl,
      CANARY_RECEIVER: receiver.url,
    };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName }));
    assert.equal(FunctionError, undefined);
    const said = () => stage.logged.filter(({ logGroup }) => logGroup === `/${STACK}/run-canary`);
    const late = wait(LONGEST_WAIT_MS, undefined, { ref: false }).then(() =>
      assert.fail(`The canary’s webhook has not arrived: ${said().map(({ text }) => text)}`),
    );
    const delivery = await Promise.race([receiver.delivery, late]);
    assert.equal(await answerOf(lambda, receive, delivery), 204);
    assert.equal(await answerOf(lambda, receive, { ...delivery, body: `${delivery.body} ` }), 401);
    const lines = said().map(({ text }) => text);
    assert.ok(
      lines.some((line) => line.includes('"CanaryRuns"') && line.includes('"outcome":"passed"')),
      lines.join('\n'),
    );
  } finally {
    receiver.close();
  }
}

/** Invokes the function as its own address would. */
async function answerOf(client: LambdaClient, FunctionName: string, request: object): Promise<unknown> {
  const { Payload } = await client.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }),
  );
  return JSON.parse(Buffer.from(Payload ?? []).toString()).statusCode;
}
