import type { Readable } from 'node:stream';
import { systemClock } from '../../clock.ts';
import {
  fileDialects,
  fileStore,
  keyStore,
  objectStore,
  storageQuota,
  uploadStore,
  workspaceStore,
} from '../../deployed/stores.ts';
import type { Pace } from '../../fair-shares.ts';
import { fileScope, uploadWorkspace } from '../../files/file-requests.ts';
import { addPart } from '../../files/parts/add-part.ts';
import { describePart } from '../../files/parts/upload.ts';
import { checksumHeaders, describeFile } from '../../files/shown-file.ts';
import { claimedDigests } from '../../files/upload/claimed-digests.ts';
import { callerConditions, receiveFile, type UploadPorts } from '../../files/upload/receive-file.ts';
import { StreamedFile } from '../../files/upload/streamed-file.ts';
import { readUploadForm } from '../../files/upload/upload-form.ts';
import { type Admitted, assertNotEncoded, onUnknownField, type RequestHead } from '../../http/call.ts';
import { type ApiResponse, json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { providerAccounts } from './provider-accounts.ts';

export type UploadCall = RequestHead & Admitted;
/** @param pace that the body must keep; absent where the whole body is here already */
export type UploadOperation = (call: UploadCall, body: Readable, pace?: Pace) => Promise<ApiResponse>;

/** For 100 MiB at a slow client's pace; less than the server gives a request, which must still be answered. */
const LONGEST_PASSING_ON = 14 * 60_000;

/**
 * `POST /files` over the deployment's stores, for the Lambda and for the upload server alike.
 * @param providerMilliseconds how long passing a file on to a provider may take
 */
export function uploadOperation(providerMilliseconds = LONGEST_PASSING_ON): UploadOperation {
  const workspaces = workspaceStore();
  const keys = keyStore();
  const dialectOf = fileDialects();
  const accountAt = providerAccounts(providerMilliseconds);
  const ports: UploadPorts = {
    files: fileStore(),
    objects: objectStore(),
    quotaBytes: storageQuota(),
    newFileId: () => newId.file(systemClock()),
    now: systemClock,
  };
  return async (call, body, pace) => {
    assertNotEncoded(call.headers);
    const { workspaceId, provider } = await fileScope(call, workspaces);
    const dialect = dialectOf(call.headers, provider);
    const incoming = {
      ...{ body, pace, warn: onUnknownField(call) },
      contentType: call.headers['content-type'],
      claims: claimedDigests(new Map(Object.entries(call.headers))),
    };
    if (provider === undefined) {
      const caller = { keyHash: call.principal.keyHash, workspaceId };
      const conditions = () => callerConditions(caller, { keys, workspaces }, systemClock());
      const file = await receiveFile({ ...incoming, workspaceId, conditions, log: call.log }, ports);
      return { ...json(200, describeFile(file, dialect), checksumHeaders(file)), made: file.id };
    }
    const account = await accountAt(provider, workspaceId, call.headers);
    const form = await readUploadForm(
      incoming,
      (part) => new StreamedFile((file) => account.upload(file, part)),
    );
    if (form.expiresInSeconds !== undefined) {
      call.warnings.push(
        `Genway does not pass an expiry on to ${provider}, which decides how long it keeps the file`,
      );
    }
    return json(200, describeFile(form.file, dialect));
  };
}

export type PartCall = RequestHead<{ readonly upload: string }> & Admitted;
export type PartOperation = (call: PartCall, body: Readable, pace?: Pace) => Promise<ApiResponse>;

/** `POST /uploads/{upload}/parts` over the deployment's stores, for the Lambda and for the upload server alike. */
export function partOperation(): PartOperation {
  const workspaces = workspaceStore();
  const ports = {
    uploads: uploadStore(),
    objects: objectStore(),
    newPartId: () => newId.part(systemClock()),
    now: systemClock,
  };
  return async (call, body, pace) => {
    assertNotEncoded(call.headers);
    const id = call.path.upload;
    const incoming = {
      ...{ body, pace, warn: onUnknownField(call) },
      contentType: call.headers['content-type'],
      claims: claimedDigests(new Map(Object.entries(call.headers))),
      upload: { workspace_id: await uploadWorkspace(call, workspaces), id },
      log: call.log,
    };
    const part = await addPart(incoming, ports);
    return { ...json(200, describePart(id, part)), made: part.id };
  };
}
