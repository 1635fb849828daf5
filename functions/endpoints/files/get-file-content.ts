import { ownRole } from '../../aws/own-role.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { checksumHeaders } from '../../files/checksum-headers.ts';
import { fileLink } from '../../files/file-link.ts';
import { findFile, providerFileId } from '../../files/find-file.ts';
import type { ProviderFiles } from '../../files/providers/file-provider.ts';
import type { Call } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import type { ApiResponse } from '../../http/response.ts';
import { linkAnswer, wantsRedirect } from '../../http/signed-link.ts';
import { fileStore } from './deployed.ts';
import { fileHandler } from './file-handler.ts';

const files = fileStore();
const role = ownRole();
const bucket = setting('filesBucket');

export const handler = fileHandler('get-file-content', async (call, { workspaceId, account }) => {
  if (account !== undefined) return passOn(call, account);
  const file = await findFile(call, workspaceId, files);
  return linkAnswer(call, await fileLink(role, bucket, file, systemClock()), checksumHeaders(file));
});

/** A provider's links need its key, so the bytes pass through here. */
async function passOn(call: Call<{ file: string }>, account: ProviderFiles): Promise<ApiResponse> {
  if (!wantsRedirect(call)) throw invalidField('redirect', 'a file at a provider has no link of its own');
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
    body: await account.content(providerFileId(call)),
  };
}
