import { Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { asInterface } from '../constructs/as-interface.ts';
import { Clock } from '../constructs/clock.ts';
import { type Capability, GenwayFunction, knowing } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';
import type { DeploymentValues } from './deployment.ts';
import type { Settings } from './settings.ts';

interface CanaryProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly values: DeploymentValues;
  /** The address that callers use. It ends in `/api/v1`. */
  readonly target: string;
}

/**
 * Uses the stage from outside every five minutes, as its callers do, with a key of a separate workspace; a secret
 * holds the key. Once an hour it uploads a file that is too large for a Lambda. If the stage has the sandbox, it makes a video and has the webhook sent to a function that only
 * verifies the signature.
 */
export class Canary extends Construct {
  /** The name that people use: that of its bundle. */
  readonly title = 'run-canary';
  /** The secret in which an operator stores the key. */
  readonly keySecret: string;
  /** The schedule that calls it; an operator can turn it off. */
  readonly schedule: string;

  constructor(scope: Construct, id: string, { config, settings, values, target }: CanaryProps) {
    super(scope, id);
    const key = new Secret(this, 'Key', {
      description: 'The canary’s key, put here by admin create-canary-key',
    });
    acceptFinding(key, 'SMG4', 'admin create-canary-key makes another key, and ends the one before');
    this.keySecret = key.secretArn;
    const receiver = 'sandbox' in config.videos.providers ? this.#receiver(config, values) : '';
    // Not a sweeper: the alarms of sweepers must exist before the stage does, and this depends on the whole stage.
    const run = new GenwayFunction(this, 'Run', {
      config,
      name: this.title,
      timeout: Duration.minutes(4),
      memoryMegabytes: 256,
      can: [
        settings.privateHosts,
        knowing({
          [variables.canaryTarget]: target,
          [variables.canaryReceiver]: receiver,
          [variables.canaryLargeUploads]: config.largeUploads === 'off' ? 'off' : 'on',
        }),
        readerOf(key),
      ],
    });
    run.configureAsyncInvoke({ retryAttempts: 0 });
    this.schedule = Clock.of(this).call(
      this,
      'EveryFiveMinutes',
      asInterface<IFunction>(run),
      Duration.minutes(5),
    );
  }

  #receiver(config: StageConfig, { webhookKeys }: DeploymentValues): string {
    const receive = new GenwayFunction(this, 'Receive', {
      config,
      name: 'receive-canary-webhook',
      memoryMegabytes: 128,
      timeout: Duration.seconds(5),
      can: [webhookKeys],
    });
    return receive.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;
  }
}

/** Fewer rights than CDK's grant, which also allows reading the secret's metadata. */
const readerOf = ({ secretArn }: Secret): Capability => ({
  environment: { [variables.canaryKeySecret]: secretArn },
  grant: (grantee) => {
    Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [secretArn],
    });
  },
});
