import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Records why a rule of cdk-nag's AwsSolutions does not apply to a construct and its children. A finding that is not
 * accepted here fails `test/infra/best-practices.test.ts`. (`acknowledge` does not work: it takes no name with `::`.)
 */
export function acceptFinding(construct: IConstruct, rule: string, reason: string): void {
  construct.node.addMetadata(Validations.ACKNOWLEDGED_RULES_METADATA_KEY, {
    [`AwsSolutions::AwsSolutions-${rule}`]: reason,
  });
}
