import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { fileDialects, keyStore, storageQuota, uploadStore, workspaceStore } from '../../deployed/stores.ts';
import { uploadWorkspace } from '../../files/file-requests.ts';
import { describeUpload, newUpload } from '../../files/parts/upload.ts';
import { callerConditions } from '../../files/upload/receive-file.ts';
import { json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const keys = keyStore();
const uploads = uploadStore();
const quotaBytes = storageQuota();
const dialectOf = fileDialects();

export const handler = routeHandler(routes['create-upload'], async (call) => {
  const workspaceId = await uploadWorkspace(call, workspaces);
  const now = systemClock();
  const upload = newUpload(call, { id: newId.upload(now), workspace_id: workspaceId }, now);
  const caller = { keyHash: call.principal.keyHash, workspaceId };
  await uploads.begin(upload, quotaBytes, callerConditions(caller, { keys, workspaces }, now));
  const shown = describeUpload(upload, undefined, dialectOf(call.headers, 'openai'), now);
  return { ...json(200, shown), made: upload.id };
});
