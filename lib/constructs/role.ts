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
 * A role that holds its rights itself. CDK's own keeps them in a policy, which is a second resource of the 500 that a
 * stack may have, and which whoever takes on the role would have to wait for.
 */
export class Role extends AwsRole {
  readonly #rights: PolicyDocument;

  constructor(scope: Construct, id: string, props: RoleProps) {
    // CDK reads it as it writes the template, when all grants are in it.
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
 * Not a name as CDK gives its policies. A stack of an older version has those, and as it is updated they are deleted by
 * their names, after the roles have got their rights.
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

/** Whoever may write a log may write all of its streams, since a stream is named by what writes it. */
export function acceptStreams(role: IRole, { logGroupName }: ILogGroup): void {
  const streams = `arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${logGroupName}:*`;
  acceptFinding(role, `IAM5[Resource::${streams}]`, 'The streams of its own log');
}
