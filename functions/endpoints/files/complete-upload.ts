import { openIfThere } from '../../aws/buckets.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import {
  fileDialects,
  fileStore,
  keyStore,
  objectStore,
  uploadStore,
  workspaceStore,
} from '../../deployed/stores.ts';
import { setting } from '../../environment.ts';
import { uploadWorkspace } from '../../files/file-requests.ts';
import { type CompleteUploadPorts, completeUpload } from '../../files/parts/complete-upload.ts';
import { completionSchema, describeUpload } from '../../files/parts/upload.ts';
import { readDigest } from '../../files/upload/claimed-digests.ts';
import { callerConditions } from '../../files/upload/receive-file.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const keys = keyStore();
const dialectOf = fileDialects();
const bucket = setting('filesBucket');
const ports: CompleteUploadPorts = {
  uploads: uploadStore(),
  files: fileStore(),
  objects: objectStore(),
  open: (key) => openIfThere(s3, bucket, key),
  newFileId: () => newId.file(systemClock()),
  now: systemClock,
};

export const handler = routeHandler(routes['complete-upload'], async (call) => {
  const workspaceId = await uploadWorkspace(call, workspaces);
  const { part_ids: partIds, md5 } = jsonBody(call, completionSchema);
  const caller = { keyHash: call.principal.keyHash, workspaceId };
  const request = {
    upload: { workspace_id: workspaceId, id: call.path.upload },
    partIds,
    claims: md5 === undefined ? [] : [readDigest('md5', 'md5', md5)],
    conditions: () => callerConditions(caller, { keys, workspaces }, systemClock()),
    log: call.log,
  };
  const { upload, file } = await completeUpload(request, ports);
  const shown = describeUpload(upload, file, dialectOf(call.headers, 'openai'), systemClock());
  return json(200, shown);
});
