import { routeHandler } from '../../deployed/gate.ts';
import { keyEnds } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { refuseOwnDeletion } from '../../keys/change-key.ts';
import { checkedKeyHash, keyNotFound } from '../../keys/find-key.ts';
import { routes } from './definition.ts';

const keys = keyEnds();

export const handler = routeHandler(routes['delete-key'], async ({ path, principal }) => {
  const hash = checkedKeyHash(path.hash);
  refuseOwnDeletion(principal, hash);
  if (!(await keys.end(hash))) throw keyNotFound();
  return json(200, { deleted: true });
});
