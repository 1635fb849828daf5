import { describe, expect, test } from '@jest/globals';
import { fileDeleteResponseFromJSON } from '@openrouter/sdk/models/filedeleteresponse.js';
import { fileListResponseFromJSON } from '@openrouter/sdk/models/filelistresponse.js';
import { fileResponseFromJSON } from '@openrouter/sdk/models/fileresponse.js';
import type { StoredFile } from '../../functions/files/file.ts';
import {
  chooseDialect,
  describeDeleted,
  describeFile,
  describeFiles,
} from '../../functions/files/shown-file.ts';

const file: StoredFile = {
  id: 'gw_file_00000000000000000000000000',
  workspace_id: '00000000-0000-4000-8000-000000000000',
  filename: 'shots.txt',
  mime_type: 'text/plain',
  size_bytes: 5,
  purpose: 'user_data',
  created_at: '2026-01-02T03:04:05.678Z',
};

const CLIENTS = {
  native: {},
  provider_a: { 'user-agent': 'OpenAI/JS 6.49.0' },
  provider_b: { 'anthropic-version': '2023-06-01' },
};

/** The OpenRouter SDK's parser for each shape. It returns a typed object, or marks the answer as unknown. */
const parsers = [
  ['file', describeFile, fileResponseFromJSON],
  [
    'list',
    (_: StoredFile, dialect: Parameters<typeof describeFiles>[2]) => describeFiles([file], true, dialect),
    fileListResponseFromJSON,
  ],
  [
    'deleted file',
    ({ id }: StoredFile, dialect: Parameters<typeof describeDeleted>[1]) => describeDeleted(id, dialect),
    fileDeleteResponseFromJSON,
  ],
] as const;

describe.each(parsers)('a %s', (_, describeIt, parse) => {
  test.each([
    ['native', 'openrouter'],
    ['provider_a', 'openai'],
    ['provider_b', 'anthropic'],
  ] as const)('of shape %s goes by that name, or is %s to the SDK that knows it', (shape, vendor) => {
    const native = describeIt(file, chooseDialect(CLIENTS[shape], 'native'));
    const renamed = describeIt(file, chooseDialect(CLIENTS[shape], 'openrouter'));
    expect(native._shape).toBe(shape);
    expect(renamed).toEqual(JSON.parse(JSON.stringify(native).replaceAll(`"${shape}"`, `"${vendor}"`)));
    expect(parse(JSON.stringify(native))).toMatchObject({
      ok: true,
      value: { isUnknown: true, raw: native },
    });
    const typed = parse(JSON.stringify(renamed));
    expect(typed).toMatchObject({ ok: true, value: { shape: vendor } });
    expect(typed).not.toHaveProperty('value.isUnknown');
  });
});
