import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** Whoever asks has a caller waiting: what takes longer is tried once more, within the time of a request. */
export const lambda = /* @__PURE__ */ new LambdaClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
});

/** A function failed where it should have answered. Its own log says why: what it said may hold what it was asked. */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
}

/**
 * What a function of ours answers.
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
