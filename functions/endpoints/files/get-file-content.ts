import { systemClock } from '../../clock.ts';
import { deployedLinks } from '../../deployed/links.ts';
import { fileStore } from '../../deployed/stores.ts';
import { linkAnswer, wantsRedirect } from '../../downloads/link-answer.ts';
import { endOf, objectKey } from '../../files/file.ts';
import { findFile, providerFileId } from '../../files/file-requests.ts';
import type { ProviderFiles } from '../../files/providers/file-provider.ts';
import { checksumHeaders } from '../../files/shown-file.ts';
import type { Call } from '../../http/call.ts';
import { invalidField } from '../../http/errors.ts';
import type { ApiResponse } from '../../http/response.ts';
import { routes } from './definition.ts';
import { fileHandler } from './file-handler.ts';

const files = fileStore();
const makeLink = deployedLinks('filesBucket');

export const handler = fileHandler(routes['get-file-content'], async (call, { workspaceId, account }) => {
  if (account !== undefined) return passOn(call, account);
  const file = await findFile(call, workspaceId, files);
  const key = objectKey(file.workspace_id, file.id);
  const download = { key, shownAs: 'attachment', filename: file.filename, goneAt: endOf(file) } as const;
  const link = await makeLink(download, systemClock());
  return linkAnswer(call, link, checksumHeaders(file));
});

/** A provider's links need its key, so the bytes pass through here. */
async function passOn(call: Call<{ file: string }>, account: ProviderFiles): Promise<ApiResponse> {
  if (!wantsRedirect(call))
    throw invalidField('redirect', 'false is not supported for files at a provider, which have no links');
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
    body: await account.content(providerFileId(call)),
  };
}
