import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Bucket } from './constructs/bucket.ts';
import { GenwayFunction } from './constructs/genway-function.ts';
import type { Settings } from './settings.ts';
import type { StageConfig } from './stage-config.ts';

export interface EmptyingProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  readonly buckets: readonly Bucket[];
}

/**
 * Empties the buckets of a stage that is deleted with its data, because CloudFormation only deletes empty buckets.
 */
export class Emptying extends Construct {
  constructor(scope: Construct, id: string, { config, settings, buckets }: EmptyingProps) {
    super(scope, id);
    const timeout = Duration.minutes(15);
    const empty = new GenwayFunction(this, 'Empty', {
      config,
      name: 'empty-bucket',
      timeout,
      can: [settings.privateHosts, ...buckets.map(({ emptier }) => emptier)],
    });
    for (const bucket of buckets) {
      const resource = new CustomResource(this, bucket.node.path.replaceAll('/', ''), {
        resourceType: 'Custom::GenwayEmptiedBucket',
        serviceToken: empty.functionArn,
        serviceTimeout: timeout,
        properties: { BucketName: bucket.bucketName },
      });
      // The function's role is a separate resource, and must exist as long as the function may be called.
      resource.node.addDependency(empty);
    }
  }
}
