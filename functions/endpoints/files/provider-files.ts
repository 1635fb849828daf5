import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { systemClock } from '../../clock.ts';
import { createEgress, type EgressOptions } from '../../egress/egress-fetch.ts';
import { askForAccountKey } from '../../files/providers/account-keys.ts';
import { anthropicFiles } from '../../files/providers/anthropic-files.ts';
import type { FileProviderName } from '../../files/providers/file-provider.ts';
import { openaiFiles } from '../../files/providers/openai-files.ts';
import { authorizationOf } from '../../gate/authentication.ts';
import type { ProviderFilesOf } from './provider-accounts.ts';

export const fileAdapters = { openai: openaiFiles, anthropic: anthropicFiles };

export interface ProviderFilesSettings extends Pick<EgressOptions, 'allowed' | 'deadlineMilliseconds'> {
  readonly baseUrls: Readonly<Record<FileProviderName, string>>;
  /** The function that opens stored keys. */
  readonly opener: string;
}

export function providerFiles({ baseUrls, opener, ...limits }: ProviderFilesSettings): ProviderFilesOf {
  const askForKey = askForAccountKey((request) => invoke(lambda, opener, request));
  const fetch = createEgress(limits);
  return async (name, workspaceId, caller) => {
    const authorization = authorizationOf(caller);
    const apiKey = await askForKey({ authorization, workspaceId, provider: name });
    return fileAdapters[name]({ name, baseUrl: baseUrls[name], apiKey, fetch, now: systemClock });
  };
}

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
