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

/** A function of ours, or the server of large uploads. */
export interface Program {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly statements: readonly Statement[];
}

/**
 * What each role may do, by its place in the template; a role that has only what AWS defines is not among them.
 * @throws Error where a role has rights that are not its own part
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

/** Every program of ours with what its role may do. */
export function programsOf(template: Template): Program[] {
  const roles = rolesOf(template);
  const functions = Object.values(template.findResources('AWS::Lambda::Function')).flatMap((resource) => {
    // CDK's own know nothing of ours.
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
