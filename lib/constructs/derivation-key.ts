import { Grant } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage/config.ts';
import type { Capability, Variable } from './program.ts';
import { removalOf } from './removal.ts';

interface DerivationKeyProps {
  readonly config: StageConfig;
  readonly description: string;
  /** The variable that tells programs the key's id. */
  readonly variable: Variable;
}

/** A key that never leaves KMS. Programs derive secrets from it, which are stored nowhere. */
export class DerivationKey extends Key {
  readonly deriver: Capability;

  constructor(scope: Construct, id: string, { config, description, variable }: DerivationKeyProps) {
    super(scope, id, {
      description,
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      multiRegion: config.multiRegionKeys,
      removalPolicy: removalOf(config),
    });
    this.deriver = {
      environment: { [variable]: this.keyId },
      grant: (grantee) => {
        Grant.addToPrincipal({ grantee, actions: ['kms:GenerateMac'], resourceArns: [this.keyArn] });
      },
    };
  }
}
