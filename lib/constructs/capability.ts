import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { variables } from '../../functions/environment-names.ts';

/** The name of an environment variable that programs read. */
export type Variable = (typeof variables)[keyof typeof variables];
export type Environment = Readonly<Partial<Record<Variable, string>>>;

/**
 * Something that a program can do: the environment variables and the rights that this needs. They are in one object, so
 * that nobody can give one without the other.
 */
export interface Capability {
  readonly environment: Environment;
  grant(grantee: IGrantable): void;
}

/** To know something, which needs no rights. */
export const knowing = (environment: Environment): Capability => ({ environment, grant: () => undefined });

/** @throws Error if two of them set one variable to different values */
export function combine(...capabilities: readonly Capability[]): Capability {
  const environment: Partial<Record<string, string>> = {};
  for (const [name, value] of capabilities.flatMap((capability) => Object.entries(capability.environment))) {
    if (environment[name] !== undefined && environment[name] !== value) {
      throw new Error(`Two capabilities set ${name} to different values`);
    }
    environment[name] = value;
  }
  return {
    environment,
    grant: (grantee) => {
      for (const capability of capabilities) capability.grant(grantee);
    },
  };
}
