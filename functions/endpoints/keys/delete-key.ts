import { routeHandler } from '../../gate/route-handler.ts';
import { json } from '../../http/response.ts';
import { checkedKeyHash, keyNotFound } from '../../keys/key-report.ts';
import { refuseOwnDeletion } from '../../keys/own-key.ts';
import { keyLives } from './deployed.ts';

const lives = keyLives();

export const handler = routeHandler('delete-key', async ({ path, principal }) => {
  const hash = checkedKeyHash(path.hash);
  refuseOwnDeletion(principal, hash);
  if (!(await lives.end(hash))) throw keyNotFound();
  return json(200, { deleted: true });
});
