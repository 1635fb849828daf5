import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { ApiError } from '../../../functions/http/errors.ts';
import { readForm } from '../../hostile/read-form.ts';
import { inPieces } from '../pieces.ts';

const part = (header: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
const purpose = part('name="purpose"', 'user_data');

export const FORM_SEEDS = [
  `${purpose}${part('name="file"; filename="a.txt"', 'Some text')}--b--\r\n`,
  `preamble\r\n${part('name=file; filename=a.csv\r\ncontent-type: text/csv', 'a,b\n1,2')}${purpose}--b--epilogue`,
  `${purpose}${part("name=file; filename*=UTF-8''na%C3%AFve.txt", '\r\n--bb')}${part('name=other', '')}--b-- `,
  `--b \t\r\n\r\n\r\n${purpose}${part('name="expires_after[anchor]"', 'created_at')}--b--`,
  `${purpose}${part('name="file"; filename="a\\"b.txt"\r\ncontent-md5: CY9rzUYh03PK3k6DJie09g==', 'test')}--b--`,
].map((text) => Buffer.from(text, 'latin1'));

/** A form must be the same in any chunks. It is accepted or refused, and never causes a 5xx. */
export async function checkForm(bytes: Buffer): Promise<void> {
  const whole = await outcome([bytes]);
  assert.deepEqual(await outcome(inPieces(bytes)), whole, 'the form changes when it arrives in pieces');
  if (!('form' in whole)) return;
  const found = await fileByNode(bytes);
  if (found !== undefined)
    assert.equal(whole.form.file.size_bytes, found, 'Node.js reads a file of another size');
}

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
