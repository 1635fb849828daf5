import { noteChange } from '../../audit/changed-fields.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyEnds, keyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { refuseOwnDeletion } from '../../keys/change-key.ts';
import { checkedKeyHash, keyNotFound } from '../../keys/find-key.ts';
import { assertMayManage } from '../../keys/key-scope.ts';
import { AUDITED_OF_KEYS } from '../../keys/shown-key.ts';
import { routes } from './definition.ts';

const keys = keyEnds();
const stored = keyStore();
const find = (hash: string) => stored.find(hash);

export const handler = routeHandler(routes['delete-key'], async (call) => {
  const { path, principal } = call;
  const hash = checkedKeyHash(path.hash);
  refuseOwnDeletion(principal, hash);
  const foundIn = await assertMayManage(principal, hash, find);
  const key = await find(hash);
  if (!(await keys.end(hash, foundIn))) throw keyNotFound();
  noteChange(call, AUDITED_OF_KEYS, key, undefined);
  return json(200, { deleted: true });
});
