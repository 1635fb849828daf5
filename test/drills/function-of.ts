import assert from 'node:assert/strict';
import { type LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';

/** The name that CloudFormation gave to a program's function. This works for any version. */
export async function functionOf(client: LambdaClient, program: string): Promise<string> {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    const found = Functions.find(
      ({ Environment }) => Environment?.Variables?.POWERTOOLS_SERVICE_NAME === program,
    );
    if (found?.FunctionName !== undefined) return found.FunctionName;
  }
  return assert.fail(`The stage has no ${program}`);
}
