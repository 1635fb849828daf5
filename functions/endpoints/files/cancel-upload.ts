import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { fileDialects, objectStore, uploadStore, workspaceStore } from '../../deployed/stores.ts';
import { uploadWorkspace } from '../../files/file-requests.ts';
import { cancelUpload } from '../../files/parts/end-upload.ts';
import { describeUpload } from '../../files/parts/upload.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const ports = { uploads: uploadStore(), objects: objectStore(), now: systemClock };
const dialectOf = fileDialects();

export const handler = routeHandler(routes['cancel-upload'], async (call) => {
  const workspace_id = await uploadWorkspace(call, workspaces);
  const upload = await cancelUpload({ workspace_id, id: call.path.upload }, { ...ports, log: call.log });
  return json(200, describeUpload(upload, undefined, dialectOf(call.headers, 'openai'), systemClock()));
});
