import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { FileStore } from './file-store.ts';
import { describeFile } from './file-view.ts';
import { findFile } from './find-file.ts';

const { FILES_TABLE } = readEnvironment({ FILES_TABLE: v.string() });
const files = new FileStore(dynamo, FILES_TABLE);

export const handler = routeHandler('get-file', async (call) =>
  json(200, describeFile(await findFile(call, files))),
);
