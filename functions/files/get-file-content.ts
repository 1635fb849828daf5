import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { s3 } from '../aws/s3.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { redirect } from '../http/response.ts';
import { objectKey } from './file.ts';
import { FileStore } from './file-store.ts';
import { findFile } from './find-file.ts';
import { ObjectStore } from './object-store.ts';

const { FILES_TABLE, FILES_BUCKET } = readEnvironment({ FILES_TABLE: v.string(), FILES_BUCKET: v.string() });
const files = new FileStore(dynamo, FILES_TABLE);
const objects = new ObjectStore(s3, FILES_BUCKET);

export const handler = routeHandler('get-file-content', async (call) => {
  const file = await findFile(call, files);
  return redirect(await objects.signedUrl(objectKey(file.workspace_id, file.id), file.filename));
});
