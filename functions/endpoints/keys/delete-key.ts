import { routeHandler } from '../../deployed/gate.ts';
import { keyEnds, keyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { refuseOwnDeletion } from '../../keys/change-key.ts';
import { checkedKeyHash, keyNotFound } from '../../keys/find-key.ts';
import { assertMayManage } from '../../keys/key-scope.ts';
import { routes } from './definition.ts';

const keys = keyEnds();
const stored = keyStore();
const find = (hash: string) => stored.find(hash);

export const handler = routeHandler(routes['delete-key'], async ({ path, principal }) => {
  const hash = checkedKeyHash(path.hash);
  refuseOwnDeletion(principal, hash);
  await assertMayManage(principal, hash, find);
  if (!(await keys.end(hash))) throw keyNotFound();
  return json(200, { deleted: true });
});
