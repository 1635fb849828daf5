import { Stack, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import * as v from 'valibot';

/**
 * Records why a rule of cdk-nag's AwsSolutions does not apply to a construct and its children. A finding that is not
 * accepted here fails `test/infra/best-practices.test.ts`. (`acknowledge` does not work: it takes no name with `::`.)
 */
export function acceptFinding(construct: IConstruct, rule: string, reason: string): void {
  construct.node.addMetadata(Validations.ACKNOWLEDGED_RULES_METADATA_KEY, {
    [`AwsSolutions::AwsSolutions-${rule}`]: reason,
  });
}

/** Records why a right of a role names resources by a wildcard. */
export function acceptWildcard({ grantPrincipal }: IGrantable, arn: string, reason: string): void {
  if (!Construct.isConstruct(grantPrincipal)) return;
  const resource = shown(v.parse(intrinsicSchema, Stack.of(grantPrincipal).resolve(arn)));
  acceptFinding(grantPrincipal, `IAM5[Resource::${resource}]`, reason);
}

const textSchema = v.union([
  v.string(),
  v.object({ Ref: v.string() }),
  v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }),
]);
const intrinsicSchema = v.union([
  textSchema,
  v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(textSchema)]) }),
]);

/** As cdk-nag writes a value that is known only during a deployment. */
function shown(value: v.InferOutput<typeof intrinsicSchema>): string {
  if (typeof value === 'string') return value;
  if ('Ref' in value) return `<${value.Ref}>`;
  if ('Fn::GetAtt' in value) return `<${value['Fn::GetAtt'].join('.')}>`;
  return value['Fn::Join'][1].map(shown).join('');
}
