import type { Principal } from '../http/call.ts';
import { PermissionDenied } from '../http/errors.ts';
import type { KeyedRoute } from '../http/routes.ts';
import { mayDo } from '../http/scope.ts';
import { isWithin } from '../keys/networks.ts';

type Asked = Pick<KeyedRoute, 'group' | 'concernsAll'>;

/**
 * Refuses what the caller's scope does not have. In which workspaces it may act, the look-ups of the operation ask
 * (`mayActIn`), because only they know which workspace an id belongs to.
 * @param address where the request comes from; without one, no network has it
 * @param who has the scope: a person who signs in has sent no key
 * @throws PermissionDenied
 */
export function assertPermitted(
  principal: Pick<Principal, 'scope'>,
  { group, concernsAll }: Asked,
  address?: string,
  who: 'This key' | 'This account' = 'This key',
): void {
  const { networks, workspaces } = principal.scope;
  if (networks !== null && !networks.some((network) => isWithin(network, address))) {
    throw new PermissionDenied(`${who} may not be used from this network`);
  }
  if (!mayDo(principal, group)) {
    throw new PermissionDenied(
      `${who} lacks permission: its scope must include the operation group \`${group}\``,
    );
  }
  if (concernsAll && workspaces !== null) {
    throw new PermissionDenied(
      'This operation requires a key for all workspaces; the scope of this key names only some',
    );
  }
}
