import { CfnOutput, type CfnOutputProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** An output of the stack that tools know by this name alone, wherever in the stack its construct is. */
export function stackOutput(scope: Construct, name: string, value: string, description?: string): void {
  const props: CfnOutputProps = { value, ...(description === undefined ? {} : { description }) };
  new CfnOutput(scope, name, props).overrideLogicalId(name);
}
