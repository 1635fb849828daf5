import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { keyHash, keyNotFound } from '../../keys/key-hash.ts';
import { refuseOwnDeletion } from '../../keys/own-key.ts';
import { keyLives } from './deployed-lives.ts';

const lives = keyLives();

export const handler = routeHandler('delete-key', async (call) => {
  const hash = keyHash(call);
  refuseOwnDeletion(call.principal, hash);
  if (!(await lives.end(hash))) throw keyNotFound();
  return json(200, { deleted: true });
});
