import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  Bucket as AwsBucket,
  BlockPublicAccess,
  BucketEncryption,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';

export interface BucketProps {
  readonly config: StageConfig;
  /** For how long what is below a prefix is kept. @default until it is deleted */
  readonly expireAfter?: Readonly<Record<string, Duration>>;
}

/** A bucket as all of ours are: private, encrypted, TLS only, without remains of uploads that never ended. */
export class Bucket extends AwsBucket {
  constructor(scope: Construct, id: string, { config, expireAfter = {} }: BucketProps) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: config.data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...Object.entries(expireAfter).map(([prefix, expiration]) => ({ prefix, expiration })),
      ],
    });
  }
}
