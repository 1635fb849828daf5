import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyLives, keyReports, keyStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { changeKey, refuseOwnEnd } from '../../keys/change-key.ts';
import { checkedKeyHash } from '../../keys/find-key.ts';
import { keyChangeSchema } from '../../keys/key-requests.ts';
import { assertEndsInTime, assertMayManage } from '../../keys/key-scope.ts';
import { AUDITED_OF_KEYS, describeKey } from '../../keys/shown-key.ts';
import { routes } from './definition.ts';

const report = keyReports();
const lives = keyLives();
const keys = keyStore();
const find = (hash: string) => keys.find(hash);

export const handler = routeHandler(routes['update-key'], async (call) => {
  const hash = checkedKeyHash(call.path.hash);
  const change = jsonBody(call, keyChangeSchema);
  refuseOwnEnd(call.principal, hash, change, systemClock());
  await assertMayManage(call.principal, hash, find);
  assertEndsInTime(call.principal, change.expires_at);
  const before = await shown(hash);
  await changeKey(hash, change, lives, systemClock());
  const after = await shown(hash);
  noteChange(call, AUDITED_OF_KEYS, before, after);
  return json(200, { data: after });
});

async function shown(hash: string) {
  const { key, account } = await report(hash);
  return describeKey(key, account, systemClock());
}
