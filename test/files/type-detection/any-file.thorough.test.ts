import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UnsupportedFileType } from '../../../functions/files/type-detection/accepted-types.ts';
import { inPieces, mutatedBytes } from '../../any-bytes.ts';
import { detect } from './detect.ts';
import { TEXTS } from './text-samples.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/files');
/** Most of a longer file is content that does not matter for its type. */
const LONGEST_SEED = 1_500;
const { accepted: ACCEPTED } = new UnsupportedFileType('nothing');
const TEXT = /^(text\/|application\/(json|x-ndjson)$)/;

const SEEDS = [
  ...readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    .filter(({ length }) => length <= LONGEST_SEED),
  ...Object.values(TEXTS)
    .flat()
    .map((text) => Buffer.from(text)),
];

const TOKENS = [
  ...['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', '[Content_Types].xml', '<Types>', '<Override '],
  ...['word/document.xml', 'ID3\x04\0\0\0\0\0\0', '\xff\xfb', '\xff\xf1', 'OggS', 'OpusHead', '\x01vorbis'],
  ...['%PDF-1.7', '%%EOF', 'fLaC', 'RIFF', 'WAVEfmt ', 'WEBPVP8 ', '\x89PNG\r\n\x1a\n', 'IHDR', 'GIF89a'],
  ...[
    '\xff\xd8\xff',
    '\xef\xbb\xbf',
    '\xff\xfe',
    '\0',
    '\n',
    '\r\n',
    ',',
    ';',
    '"',
    '{"',
    '"}',
    '[',
    ']',
    '# ',
  ],
  ...[
    '](',
    '**',
    '```\n',
    '| a |',
    '|---|',
    '- ',
    'ftypisom',
    'ftypavif',
    '\x1f\x8b',
    'true',
    '\\u00e9',
    '1e5',
  ],
];

/** The error text for it once depended on its chunks. */
const FOUND = Buffer.from('0a002c35303b546561208a', 'hex');

test('any file has the same type in any chunks, and is JSON or text if its type says so', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedBytes(SEEDS, TOKENS), async (bytes) => {
      const type = await detect(bytes);
      const lengths = inPieces(bytes).map(({ length }) => length);
      expect(await detect(bytes, lengths)).toBe(type);
      if (type.startsWith('refused: ')) return;
      expect(ACCEPTED).toContain(type);
      if (!TEXT.test(type)) return;
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      if (type === 'application/json') JSON.parse(text);
      if (type !== 'application/x-ndjson') return;
      for (const line of text.split('\n')) if (line.trim() !== '') JSON.parse(line);
    }),
    { numRuns: 3_000, examples: [[FOUND]] },
  );
});
