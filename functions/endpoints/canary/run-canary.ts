import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { answeringWithin } from '../../aws/client-settings.ts';
import { HourlyTurn, runCanary } from '../../canary/run-canary.ts';
import { systemClock } from '../../clock.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { setting } from '../../environment.ts';
import { isWellFormedKey } from '../../keys/key-format.ts';
import { log } from '../../telemetry/logger.ts';
import { countCanaryRun } from '../../telemetry/metrics.ts';

/** Less than the function's own time-out, which would end it without a word. */
const RUN_MILLISECONDS = 200_000;

const baseUrl = setting('canaryTarget');
const receiver = setting('canaryReceiver') || undefined;
const secret = setting('canaryKeySecret');
const takesLarge = setting('canaryLargeUploads', v.picklist(['on', 'off'])) === 'on';
const largeUploads = takesLarge ? new HourlyTurn() : undefined;
const fetch = deployedEgress(30_000);

/** Calls the stage as its callers do. The outcome is a metric; the cause of a failure is in the log. */
export const handler = async (): Promise<void> => {
  try {
    const key = await readSecret(secret);
    // The placeholder of a new stage, until somebody with AWS credentials gives it a key.
    if (!isWellFormedKey(key)) return log.warn('the canary has no key yet: run admin create-canary-key');
    const deadline = new Date(systemClock().getTime() + RUN_MILLISECONDS);
    await runCanary({
      baseUrl,
      key,
      fetch,
      receiver,
      largeUploads,
      deadline,
      now: systemClock,
      pause: wait,
    });
    countCanaryRun('passed');
  } catch (error) {
    log.error('canary failed', { error });
    countCanaryRun('failed');
  }
};

const secrets = /* @__PURE__ */ new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: /* @__PURE__ */ answeringWithin(3_000),
});

/** The current value of a secret. */
async function readSecret(SecretId: string): Promise<string> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  return SecretString;
}
