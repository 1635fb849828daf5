import type { Readable } from 'node:stream';
import type { ByteSink } from '../../functions/byte-streams.ts';
import { InspectedFile, type Verdict } from '../../functions/files/upload/receive-file.ts';
import { readUploadForm, type UploadForm } from '../../functions/files/upload/upload-form.ts';

/** Reads a form with the boundary `b` like the upload server, but stores nothing. */
export function readForm(body: Readable): Promise<UploadForm<Verdict>> {
  return readUploadForm({ body, contentType: 'multipart/form-data; boundary=b' }, () => lookedAt());
}

function lookedAt(): ByteSink<Verdict> {
  const inspected = new InspectedFile();
  return {
    write: (bytes) => void inspected.write(bytes),
    end: () => inspected.verdict(),
    abort: async () => undefined,
  };
}
