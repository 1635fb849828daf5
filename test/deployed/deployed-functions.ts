import { type FunctionConfiguration, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import type { AwsAccess } from '../../local/emulator/aws-access.ts';

/** The functions of a stage of any version, as Lambda describes them, by the names of their programs. */
export async function deployedFunctions(aws: AwsAccess): Promise<Map<string, FunctionConfiguration>> {
  const client = new LambdaClient(aws);
  const functions = new Map<string, FunctionConfiguration>();
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const each of Functions) {
      const program = each.Environment?.Variables?.POWERTOOLS_SERVICE_NAME;
      if (program !== undefined) functions.set(program, each);
    }
  }
  client.destroy();
  return functions;
}
