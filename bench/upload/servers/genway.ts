import { randomUUID } from 'node:crypto';
import { createUploadServer } from '../../../functions/endpoints/files/upload-server/upload-server.ts';
import { UPLOAD_PACE, UPLOAD_PLACES } from '../../../functions/fair-shares.ts';
import { ObjectStore } from '../../../functions/files/object-store.ts';
import { claimedDigests } from '../../../functions/files/upload/claimed-digests.ts';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { json } from '../../../functions/http/response.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { BUCKET, report, S3_SETTINGS } from '../reporting.ts';

/** The upload server with everything that it does to the bytes. Keys and rows are not measured, and are in memory. */
const ignore = () => undefined;
const log = { info: ignore, warn: ignore, error: ignore };
const ports = {
  files: { announce: async () => undefined, create: async () => undefined },
  objects: new ObjectStore(S3_SETTINGS, BUCKET),
  quotaBytes: Number.MAX_SAFE_INTEGER,
  newFileId: randomUUID,
  now: () => new Date(),
};
const NOTHING = { bytes: 0, milliseconds: 0 };
const server = createUploadServer({
  entrance: { publicUrl: undefined, edgeSecretsSha256: [] },
  authenticator: {
    // Each upload belongs to another workspace, so that all slots can be taken.
    authenticate: async () => ({
      keyHash: 'k',
      kind: 'normal',
      workspaceId: randomUUID(),
      creator: 'k',
      rateLimits: {},
      scope: UNLIMITED,
      endsAt: null,
    }),
  },
  takeToken: async () => ({}),
  upload: async ({ headers }, body, pace) => {
    const contentType = headers['content-type'];
    const claims = claimedDigests(new Map(Object.entries(headers)));
    const request = { body, pace, contentType, claims, workspaceId: 'w', conditions: () => ({}), log };
    return json(200, await receiveFile(request, ports));
  },
  parts: { add: async () => json(200, {}) },
  log,
  newRequestId: randomUUID,
  countRequest: ignore,
  now: ports.now,
  maxUploads: UPLOAD_PLACES,
  pace: UPLOAD_PACE,
  drain: { known: NOTHING, unknown: NOTHING },
});
await report(server.http);
