import { type LambdaHandler, routeHandler } from '../../deployed/gate.ts';
import { workspaceStore } from '../../deployed/stores.ts';
import { fileScope } from '../../files/file-requests.ts';
import type { FileProviderName, ProviderFiles } from '../../files/providers/file-provider.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { KeyedRoute, PathOf } from '../../http/routes.ts';
import { providerAccounts } from './provider-accounts.ts';

/** Where the files of a request are. */
export interface FilePlace {
  readonly workspaceId: string;
  /** The workspace's account at the provider that is named; without a name the files are ours. */
  readonly account: ProviderFiles | undefined;
  readonly provider: FileProviderName | undefined;
}

/** The handler of a route over stored files. The operation gets the place of the files, which the caller may access. */
export function fileHandler<const R extends KeyedRoute>(
  route: R,
  operation: (call: AuthenticatedCall<PathOf<R>>, place: FilePlace) => Promise<ApiResponse>,
): LambdaHandler {
  const workspaces = workspaceStore();
  const accountAt = providerAccounts();
  return routeHandler(route, async (call) => {
    const { workspaceId, provider } = await fileScope(call, workspaces);
    const account = provider && (await accountAt(provider, workspaceId, call.headers));
    return operation(call, { workspaceId, provider, account });
  });
}
