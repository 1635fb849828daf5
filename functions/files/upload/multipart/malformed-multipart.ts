import { InvalidRequest } from '../../../http/errors.ts';

/** A body that is no multipart form: `why` completes "The multipart body is malformed: …". */
export class MalformedMultipart extends InvalidRequest {
  constructor(why: string, cause?: unknown) {
    super(`The multipart body is malformed: ${why}`, { cause });
  }
}
