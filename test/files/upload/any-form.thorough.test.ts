import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../functions/http/errors.ts';
import { inPieces, mutatedBytes } from '../../any-bytes.ts';
import { readForm } from '../../hostile/read-form.ts';

const part = (header: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
const purpose = part('name="purpose"', 'user_data');

const SEEDS = [
  `${purpose}${part('name="file"; filename="a.txt"', 'Some text')}--b--\r\n`,
  `preamble\r\n${part('name=file; filename=a.csv\r\ncontent-type: text/csv', 'a,b\n1,2')}${purpose}--b--epilogue`,
  `${purpose}${part("name=file; filename*=UTF-8''na%C3%AFve.txt", '\r\n--bb')}${part('name=other', '')}--b-- `,
  `--b \t\r\n\r\n\r\n${purpose}${part('name="expires_after[anchor]"', 'created_at')}--b--`,
  `${purpose}${part('name="file"; filename="a\\"b.txt"\r\ncontent-md5: CY9rzUYh03PK3k6DJie09g==', 'test')}--b--`,
].map((text) => Buffer.from(text, 'latin1'));

const TOKENS = [
  ...['\r\n', '--b', '\r\n--b\r\n', '\r\n--b--', '\r\n\r\n', '--b\r\n\r\n', ' \t', '"', "''", '%22', '\\"'],
  ...['content-disposition: form-data; name=', 'name="file"', '; filename="x"', "; filename*=UTF-8''%C3%A9"],
  ...['content-type: text/plain', 'content-md5: ', 'digest: sha-256=', 'name=purpose', 'user_data'],
];

test('any form is the same in any chunks, has the file that Node.js reads, and never causes a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedBytes(SEEDS, TOKENS), async (bytes) => {
      const whole = await outcome([bytes]);
      expect(await outcome(inPieces(bytes))).toEqual(whole);
      if (!('form' in whole)) return;
      const found = await fileByNode(bytes);
      if (found !== undefined) expect(whole.form.file.size_bytes).toBe(found);
    }),
    { numRuns: 3_000 },
  );
});

async function outcome(chunks: readonly Buffer[]) {
  try {
    return { form: await readForm(Readable.from(chunks)) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { status: error.status };
  }
}

/** The file's size according to Node.js, whose parser accepts fewer forms than ours. */
async function fileByNode(bytes: Buffer): Promise<number | undefined> {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const form = await new Response(Buffer.from(bytes), { headers }).formData().catch(() => undefined);
  const file = form?.get('file');
  return file instanceof File ? file.size : undefined;
}
