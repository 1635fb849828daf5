import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

const statementSchema = v.object({
  Action: v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform((actions) => [actions].flat()),
  ),
  Resource: v.unknown(),
  Condition: v.optional(v.unknown()),
});
export type Statement = v.InferOutput<typeof statementSchema>;

const refSchema = v.object({ Ref: v.string() });
const roleSchema = v.pipe(
  v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
  v.transform((attribute) => attribute['Fn::GetAtt'][0]),
);
const policySchema = v.object({
  Properties: v.object({
    Roles: v.array(refSchema),
    PolicyDocument: v.object({ Statement: v.array(statementSchema) }),
  }),
});
const functionSchema = v.object({
  Properties: v.object({
    Role: roleSchema,
    Environment: v.object({
      Variables: v.objectWithRest({ POWERTOOLS_SERVICE_NAME: v.string() }, v.unknown()),
    }),
  }),
});
const taskSchema = v.object({ Properties: v.object({ TaskRoleArn: roleSchema }) });

/** A function of ours, or the server of large uploads. */
export interface Program {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly statements: readonly Statement[];
}

/** Every program of ours with what its role may do. */
export function programsOf(template: Template): Program[] {
  const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(
    (policy) => v.parse(policySchema, policy).Properties,
  );
  const statementsOf = (role: string) =>
    policies
      .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === role))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const functions = Object.values(template.findResources('AWS::Lambda::Function')).flatMap((resource) => {
    // CDK's own know nothing of ours.
    if (!v.is(functionSchema, resource)) return [];
    const { Role, Environment } = v.parse(functionSchema, resource).Properties;
    const { Variables: variables } = Environment;
    return [{ name: variables.POWERTOOLS_SERVICE_NAME, variables, statements: statementsOf(Role) }];
  });
  const tasks = Object.values(template.findResources('AWS::ECS::TaskDefinition')).map((task) => ({
    name: 'upload-server',
    variables: {},
    statements: statementsOf(v.parse(taskSchema, task).Properties.TaskRoleArn),
  }));
  return [...functions, ...tasks];
}
