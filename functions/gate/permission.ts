import type { Principal } from '../http/call.ts';
import { PermissionDenied } from '../http/errors.ts';
import type { KeyedRoute } from '../http/routes.ts';
import { mayDo } from '../http/scope.ts';
import { isWithin } from '../keys/networks.ts';

type Asked = Pick<KeyedRoute, 'group' | 'concernsAll'>;
type Session = NonNullable<Principal['session']>;

/**
 * Refuses what the caller's scope does not have. In which workspaces it may act, the look-ups of the operation ask
 * (`mayActIn`), because only they know which workspace an id belongs to.
 * @param address where the request comes from; without one, no network has it
 * @throws PermissionDenied
 */
export function assertPermitted(
  principal: Pick<Principal, 'scope'> & { readonly session?: Pick<Session, 'subject'> },
  { group, concernsAll }: Asked,
  address?: string,
): void {
  const { networks, workspaces } = principal.scope;
  // A person who has signed in has sent no key.
  const who = principal.session?.subject === undefined ? 'This key' : 'This account';
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
      `${who} lacks permission: its scope must not be limited to specific workspaces`,
    );
  }
}
