import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Says of a construct, and of what is in it, why a rule of cdk-nag's AwsSolutions is not for it. What is not accepted
 * in this way fails `test/infra/best-practices.test.ts`. (Not by `acknowledge`: it takes no name with `::` in it.)
 */
export function acceptFinding(construct: IConstruct, rule: string, reason: string): void {
  construct.node.addMetadata(Validations.ACKNOWLEDGED_RULES_METADATA_KEY, {
    [`AwsSolutions::AwsSolutions-${rule}`]: reason,
  });
}
