import { describe, expect, test } from '@jest/globals';
import { FILE_ID } from '../../functions/files/file.ts';
import { fileScope, listQuery } from '../../functions/files/file-requests.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';

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

describe('a list of named files', () => {
  const other = ID.replace(/a$/, 'b');

  test('has each of them once; what cannot be a file is left out', () => {
    expect(read({ 'ids[]': `${ID},${other},${ID},file_of_others,` }).ids).toEqual([ID, other]);
  });

  test('takes 100 ids', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i}`).join(',');
    expect(read({ 'ids[]': ids(100) }).ids).toEqual([]);
    expect(() => read({ 'ids[]': ids(101) })).toThrow(/must have at most 100 IDs/);
  });

  test.each(['limit', 'cursor', 'after', 'after_id', 'page'])('has no pages, so no %s', (name) => {
    const value = name === 'limit' ? '5' : other;
    expect(() => read({ 'ids[]': ID, [name]: value })).toThrow(
      expect.objectContaining({ status: 400, metadata: { path: name } }),
    );
  });
});

test.each([
  [{}, false],
  [{ order: 'asc' }, false],
  [{ order: 'desc' }, true],
])('the order of %j: newest first is %p', (query, newestFirst) => {
  expect(read(query).newestFirst).toBe(newestFirst);
});

describe('the workspace of a request', () => {
  const scopeOf = async (headers: Record<string, string>, query: Record<string, string> = {}) => {
    const who = { keyHash: '', kind: 'normal', creator: '', rateLimits: {}, workspaceId: OWN } as const;
    const principal = { ...who, scope: UNLIMITED, endsAt: null };
    const none = async () => undefined;
    const found = fileScope({ principal, headers, query }, { findById: none, findBySlug: none });
    return (await found).workspaceId;
  };
  const OWN = 'c0ffee00-0000-4000-8000-000000000001';
  const FOREIGN = 'c0ffee00-0000-4000-8000-000000000002';

  test('may be named in the header of Anthropic’s clients, and is checked there too', async () => {
    expect(await scopeOf({})).toBe(OWN);
    expect(await scopeOf({ 'anthropic-workspace-id': OWN })).toBe(OWN);
    await expect(scopeOf({ 'anthropic-workspace-id': FOREIGN })).rejects.toMatchObject({ status: 403 });
    await expect(scopeOf({ 'anthropic-workspace-id': 'wrkspc_01' })).rejects.toMatchObject({ status: 400 });
    expect(await scopeOf({ 'anthropic-workspace-id': FOREIGN }, { workspace_id: OWN })).toBe(OWN);
  });
});
