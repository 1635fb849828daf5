import {
  type AddToPrincipalPolicyResult,
  Role as AwsRole,
  type IRole,
  PolicyDocument,
  PolicyStatement,
  type RoleProps,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acceptFinding } from './accept-finding.ts';

/**
 * A role with inline rights. CDK's own role keeps them in a separate policy. That would be a second one of the stack's
 * 500 resources, and everything that uses the role would have to wait for it.
 */
export class Role extends AwsRole {
  readonly #rights: PolicyDocument;

  constructor(scope: Construct, id: string, props: RoleProps) {
    // CDK reads this when it writes the template, after all grants were added.
    const rights = new PolicyDocument();
    super(scope, id, { ...props, inlinePolicies: { [RIGHTS]: rights } });
    this.#rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/**
 * Must not be a name that CDK gives to its policies. When a stack of an older version is updated, CloudFormation deletes
 * those policies by name, after the roles have got their rights.
 */
const RIGHTS = 'Rights';

/** The role of a function, which can write its own log. */
export function functionRole(scope: Construct, id: string, log: ILogGroup): Role {
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  role.addToPolicy(new PolicyStatement({ actions, resources: [log.logGroupArn] }));
  acceptStreams(role, log);
  return role;
}

/** The right to write a log must cover all its streams, because the writer chooses the name of a stream. */
export function acceptStreams(role: IRole, { logGroupName }: ILogGroup): void {
  const streams = `arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${logGroupName}:*`;
  acceptFinding(role, `IAM5[Resource::${streams}]`, 'The streams of its own log');
}
