import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCEPTED_MIME_TYPES } from '../../../functions/files/type-detection/accepted-types.ts';
import { detect } from '../../files/type-detection/detect.ts';
import { TEXTS } from '../../files/type-detection/text-samples.ts';
import { inPieces } from '../pieces.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/files');
/** Of a longer one most is content that says nothing. */
const LONGEST_SEED = 1_500;
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

/** A file has one type, whatever the chunks it comes in; and what is called JSON or text is some. */
export async function checkType(bytes: Buffer): Promise<void> {
  const type = await detect(bytes);
  const lengths = inPieces(bytes).map(({ length }) => length);
  assert.equal(await detect(bytes, lengths), type, 'in pieces it is of another type');
  if (type.startsWith('refused: ')) return;
  assert(ACCEPTED_MIME_TYPES.some((accepted) => accepted === type));
  if (!TEXT.test(type)) return;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (type === 'application/json') JSON.parse(text);
  if (type !== 'application/x-ndjson') return;
  for (const line of text.split('\n')) if (line.trim() !== '') JSON.parse(line);
}
