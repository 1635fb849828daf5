import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnsupportedFileType } from '../../../functions/files/type-detection/accepted-types.ts';
import { detect } from '../../files/type-detection/detect.ts';
import { TEXTS } from '../../files/type-detection/text-samples.ts';
import { inPieces } from '../pieces.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/files');
/** Most of a longer file is content that does not matter for its type. */
const LONGEST_SEED = 1_500;
const { accepted: ACCEPTED } = new UnsupportedFileType('nothing');
const TEXT = /^(text\/|application\/(json|x-ndjson)$)/;

export const TYPE_SEEDS = [
  ...readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    .filter(({ length }) => length <= LONGEST_SEED),
  ...Object.values(TEXTS)
    .flat()
    .map((text) => Buffer.from(text)),
];

/** A file must have the same type in any chunks. A file of type JSON or text must really be JSON or text. */
export async function checkType(bytes: Buffer): Promise<void> {
  const type = await detect(bytes);
  const lengths = inPieces(bytes).map(({ length }) => length);
  assert.equal(await detect(bytes, lengths), type, 'the type changes when the file arrives in pieces');
  if (type.startsWith('refused: ')) return;
  assert(ACCEPTED.includes(type), `${type} is not accepted`);
  if (!TEXT.test(type)) return;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (type === 'application/json') JSON.parse(text);
  if (type !== 'application/x-ndjson') return;
  for (const line of text.split('\n')) if (line.trim() !== '') JSON.parse(line);
}
