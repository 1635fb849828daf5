import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

const statementSchema = v.object({
  Effect: v.literal('Allow'),
  Action: v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform((actions) => [actions].flat()),
  ),
  Resource: v.unknown(),
  Condition: v.optional(v.unknown()),
});
export type Statement = v.InferOutput<typeof statementSchema>;

const roleNameSchema = v.pipe(
  v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
  v.transform((attribute) => attribute['Fn::GetAtt'][0]),
);
const roleSchema = v.object({
  Properties: v.object({
    Policies: v.array(v.object({ PolicyDocument: v.object({ Statement: v.array(statementSchema) }) })),
  }),
});
const functionSchema = v.object({
  Properties: v.object({
    Role: roleNameSchema,
    Environment: v.object({
      Variables: v.objectWithRest({ POWERTOOLS_SERVICE_NAME: v.string() }, v.unknown()),
    }),
  }),
});
const taskSchema = v.object({ Properties: v.object({ TaskRoleArn: roleNameSchema }) });

/** A function of ours, or the upload server. */
export interface Program {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly statements: readonly Statement[];
}

/**
 * The rights of each role, by logical id. Roles with only AWS's managed policies are left out.
 * @throws Error if a role has a separate policy
 */
export function rolesOf(template: Template): ReadonlyMap<string, readonly Statement[]> {
  template.resourceCountIs('AWS::IAM::Policy', 0);
  const withRights = Object.entries(template.findResources('AWS::IAM::Role')).filter(
    ([, { Properties }]) => Properties.Policies !== undefined,
  );
  return new Map(
    withRights.map(([id, role]) => [
      id,
      v.parse(roleSchema, role).Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
    ]),
  );
}

/** All our programs with the rights of their roles. */
export function programsOf(template: Template): Program[] {
  const roles = rolesOf(template);
  const functions = Object.values(template.findResources('AWS::Lambda::Function')).flatMap((resource) => {
    // CDK's own functions do not match the schema.
    if (!v.is(functionSchema, resource)) return [];
    const { Role, Environment } = v.parse(functionSchema, resource).Properties;
    const { Variables: variables } = Environment;
    return [{ name: variables.POWERTOOLS_SERVICE_NAME, variables, statements: roles.get(Role) ?? [] }];
  });
  const tasks = Object.values(template.findResources('AWS::ECS::TaskDefinition')).map((task) => ({
    name: 'upload-server',
    variables: {},
    statements: roles.get(v.parse(taskSchema, task).Properties.TaskRoleArn) ?? [],
  }));
  return [...functions, ...tasks];
}
