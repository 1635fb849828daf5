import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** A caller is waiting: a call that takes too long is tried once more, within the time of a request. */
export const lambda = /* @__PURE__ */ new LambdaClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
});

/**
 * A function failed instead of answering. The reason is in its own log only, because it may quote what the function was
 * asked.
 */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
}

/**
 * The answer of another of our functions.
 * @throws InvocationFailed
 */
export async function invoke(client: LambdaClient, functionName: string, request: unknown): Promise<unknown> {
  const { FunctionError, Payload } = await client.send(
    new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) }),
  );
  if (FunctionError !== undefined || Payload === undefined) {
    throw new InvocationFailed(`${functionName} failed: ${FunctionError ?? 'no answer'}`);
  }
  return JSON.parse(Buffer.from(Payload).toString());
}
