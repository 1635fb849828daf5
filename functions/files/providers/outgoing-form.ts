import type { Readable } from 'node:stream';
import { InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { checkedFilename } from '../upload/filename.ts';
import type { FilePart } from '../upload/form-reader.ts';
import { LARGEST_FILE, tooLarge } from '../upload/size-limits.ts';

export interface OutgoingForm {
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; *charset=[\w-]+)?$/;

/**
 * A form with the file that is just arriving in another form. The last delimiter is sent only if that one ends well, so
 * that a provider keeps nothing that was cut off or refused.
 * @param fieldsFor the fields besides the file; they come after it, because only then the purpose may be known
 * @throws InvalidRequest for the name of the file; the body throws InvalidRequest and PayloadTooLarge
 */
export function outgoingForm(
  file: Readable,
  part: FilePart,
  boundary: string,
  fieldsFor: (purpose: string) => Readonly<Record<string, string>> = () => ({}),
): OutgoingForm {
  const filename = checkedFilename(part.filename);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: write(),
  };

  async function* write(): AsyncGenerator<Uint8Array> {
    const disposition = `form-data; name="file"; filename="${filename.replaceAll('"', '%22')}"`;
    const type = MEDIA_TYPE.test(part.contentType ?? '') ? part.contentType : 'application/octet-stream';
    yield Buffer.from(
      `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${type}\r\n\r\n`,
    );
    let size = 0;
    for await (const chunk of file) {
      size += chunk.length;
      if (size > LARGEST_FILE) throw new PayloadTooLarge(tooLarge(LARGEST_FILE));
      yield chunk;
    }
    if (size === 0) throw new InvalidRequest('The file is empty', { metadata: { path: 'file' } });
    for (const [name, value] of Object.entries(fieldsFor(await part.purpose))) {
      yield Buffer.from(
        `\r\n--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`,
      );
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
}
