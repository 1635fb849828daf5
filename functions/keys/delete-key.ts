import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { keyLives } from './deployed-lives.ts';
import { keyHash, keyNotFound } from './key-hash.ts';
import { refuseOwnDeletion } from './own-key.ts';

const lives = keyLives();

export const handler = routeHandler('delete-key', async (call) => {
  const hash = keyHash(call);
  refuseOwnDeletion(call.principal, hash);
  if (!(await lives.end(hash))) throw keyNotFound();
  return json(200, { deleted: true });
});
