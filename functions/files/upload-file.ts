import { Readable } from 'node:stream';
import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { s3 } from '../aws/s3.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { newId } from '../ids.ts';
import { FileStore } from './file-store.ts';
import { describeFile } from './file-view.ts';
import { ObjectStore } from './object-store.ts';
import { receiveFile, type UploadPorts } from './upload/receive-file.ts';

const { FILES_TABLE, FILES_BUCKET } = readEnvironment({ FILES_TABLE: v.string(), FILES_BUCKET: v.string() });
const ports: UploadPorts = {
  files: new FileStore(dynamo, FILES_TABLE),
  objects: new ObjectStore(s3, FILES_BUCKET),
  newFileId: () => newId.file(systemClock()),
  now: systemClock,
};

export const handler = routeHandler('upload-file', async (call) => {
  const file = await receiveFile(
    {
      body: Readable.from([call.body], { objectMode: false }),
      contentType: call.headers['content-type'],
      workspaceId: call.principal.workspaceId,
    },
    ports,
  );
  return json(200, describeFile(file));
});
