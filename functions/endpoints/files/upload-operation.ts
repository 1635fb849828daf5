import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { fileScope } from '../../files/file-scope.ts';
import { FileStore } from '../../files/file-store.ts';
import { describeFile } from '../../files/file-view.ts';
import { ObjectStore } from '../../files/object-store.ts';
import { chooseDialect } from '../../files/shape.ts';
import { callerConditions } from '../../files/upload/caller-conditions.ts';
import { limitedBody } from '../../files/upload/limited-body.ts';
import { receiveFile, type UploadPorts } from '../../files/upload/receive-file.ts';
import { readUploadForm } from '../../files/upload/upload-form.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { type ApiResponse, json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { wireNamesSchema } from '../../wire-names.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { deployedProviderFiles } from './deployed-provider-files.ts';

export type UploadCall = Omit<AuthenticatedCall, 'body'>;
export type UploadOperation = (call: UploadCall, body: Readable) => Promise<ApiResponse>;

/** For 100 MiB at a slow client's pace; less than the server gives a request, which must still be answered. */
const LONGEST_PASSING_ON = 14 * 60_000;

/**
 * `POST /files` over the deployment's stores: the same for the Lambda and for the large-upload server.
 * @param providerMilliseconds what passing a file on to a provider may take
 */
export function uploadOperation(providerMilliseconds = LONGEST_PASSING_ON): UploadOperation {
  const environment = readEnvironment({
    FILES_TABLE: v.string(),
    FILES_BUCKET: v.string(),
    KEYS_TABLE: v.string(),
    WORKSPACES_TABLE: v.string(),
    WIRE_NAMES: wireNamesSchema,
    STORAGE_QUOTA_BYTES: v.pipe(v.string(), v.transform(Number), v.safeInteger()),
  });
  const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
  const ports: UploadPorts = {
    files: new FileStore(dynamo, environment.FILES_TABLE),
    objects: new ObjectStore(s3, environment.FILES_BUCKET),
    quotaBytes: environment.STORAGE_QUOTA_BYTES,
    newFileId: () => newId.file(systemClock()),
    now: systemClock,
  };
  const tables = { keys: environment.KEYS_TABLE, workspaces: environment.WORKSPACES_TABLE };
  const accounts = deployedProviderFiles(providerMilliseconds);
  return async (call, body) => {
    const { workspaceId, provider } = await fileScope(call, workspaces);
    const dialect = chooseDialect(call.headers, environment.WIRE_NAMES, provider);
    const contentType = call.headers['content-type'];
    if (provider !== undefined) {
      const account = await accounts(provider, workspaceId, call.principal);
      const form = await readUploadForm(limitedBody(body), contentType, (file, part) =>
        account.upload(file, part),
      );
      return json(200, describeFile(form.file, dialect));
    }
    const caller = { keyHash: call.principal.keyHash, workspaceId };
    const conditions = () => callerConditions(caller, tables, systemClock());
    const file = await receiveFile({ body, contentType, workspaceId, conditions, log: call.log }, ports);
    return json(200, describeFile(file, dialect));
  };
}
