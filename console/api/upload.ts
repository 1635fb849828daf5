import { API_PATH, ApiFailure, failureOf } from './client.ts';
import type { StoredFile } from './types.ts';

export interface UploadOptions {
  readonly token: string;
  readonly workspaceId: string | undefined;
  /** From 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Each of them ends it. */
  readonly signals: readonly AbortSignal[];
}

/** `fetch` cannot tell how much of a body has been sent; this older way can. @throws ApiFailure */
export function uploadFile(file: File, options: UploadOptions): Promise<StoredFile> {
  const { token, workspaceId, onProgress, signals } = options;
  const { promise, resolve, reject } = Promise.withResolvers<StoredFile>();
  const request = new XMLHttpRequest();
  const query = workspaceId === undefined ? '' : `?${new URLSearchParams({ workspace_id: workspaceId })}`;
  request.open('POST', `${API_PATH}/files${query}`);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onload = () => {
    if (request.status === 200) resolve(request.response);
    else
      reject(
        failureOf(request.status, request.response, request.getResponseHeader('x-request-id') ?? undefined),
      );
  };
  request.onerror = () =>
    reject(new ApiFailure(0, 'The upload was interrupted. Check the connection, then try again.'));
  request.onabort = () => reject(new ApiFailure(0, 'You stopped the upload.'));
  for (const signal of signals) signal.addEventListener('abort', () => request.abort(), { once: true });
  const form = new FormData();
  form.append('file', file, file.name);
  request.send(form);
  return promise;
}
