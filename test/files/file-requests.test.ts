import { describe, expect, test } from '@jest/globals';
import { FILE_ID } from '../../functions/files/file.ts';
import { listQuery } from '../../functions/files/file-requests.ts';

const ID = 'gw_file_01jg000000000000000000000a';
const read = (query: Record<string, string>) => listQuery({ query }, FILE_ID);

describe('where a page of files begins', () => {
  test.each(['cursor', 'after', 'after_id', 'page'])('may be called %s', (name) => {
    expect(read({ [name]: ID })).toMatchObject({ after: ID, limit: 100 });
  });

  test('is stated once; a refusal names the duplicate', () => {
    expect(() => read({ cursor: ID, page: ID })).toThrow(
      expect.objectContaining({
        status: 400,
        message: 'cursor, page: send only one of them',
        metadata: { path: 'page' },
      }),
    );
  });
});
