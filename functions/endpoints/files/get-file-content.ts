import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { objectKey } from '../../files/file.ts';
import { fileScope } from '../../files/file-scope.ts';
import { FileStore } from '../../files/file-store.ts';
import { findFile, providerFileId } from '../../files/find-file.ts';
import { ObjectStore } from '../../files/object-store.ts';
import type { ProviderFiles } from '../../files/providers/file-provider.ts';
import { routeHandler } from '../../gate/lambda.ts';
import type { Call } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import type { ApiResponse } from '../../http/response.ts';
import { linkAnswer, wantsRedirect } from '../../http/signed-link.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { deployedProviderFiles } from './deployed-provider-files.ts';

const { FILES_TABLE, FILES_BUCKET, WORKSPACES_TABLE } = readEnvironment({
  FILES_TABLE: v.string(),
  FILES_BUCKET: v.string(),
  WORKSPACES_TABLE: v.string(),
});
const files = new FileStore(dynamo, FILES_TABLE);
const objects = new ObjectStore(s3, FILES_BUCKET);
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const accounts = deployedProviderFiles();

export const handler = routeHandler('get-file-content', async (call) => {
  const { workspaceId, provider } = await fileScope(call, workspaces);
  if (provider !== undefined) return passOn(call, await accounts(provider, workspaceId, call.principal));
  const file = await findFile(call, workspaceId, files);
  const key = objectKey(file.workspace_id, file.id);
  return linkAnswer(call, await objects.signedLink(key, file.filename, systemClock()));
});

/** Providers give no links that work without their key, so their bytes pass through here. */
async function passOn(call: Call, account: ProviderFiles): Promise<ApiResponse> {
  if (!wantsRedirect(call)) throw invalidField(['redirect'], 'a file at a provider has no link of its own');
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
    body: await account.content(providerFileId(call)),
  };
}
