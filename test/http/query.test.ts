import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { query, warnOfUnread } from '../../functions/http/call.ts';

const first = { limit: v.optional(v.string(), '20'), status: v.exactOptional(v.string()) };
const second = { workspace_id: v.exactOptional(v.string()) };

function ask(sent: Record<string, string>, ...parts: v.ObjectEntries[]) {
  const call = { query: sent, warnings: [] };
  const read = parts.map((entries) => query(call, entries));
  warnOfUnread(call);
  return { read, warnings: call.warnings };
}

test('each part of an operation reads its own parameters', () => {
  const { read } = ask({ limit: '5', workspace_id: 'w', more: 'm' }, first, second);
  expect(read).toEqual([{ limit: '5' }, { workspace_id: 'w' }]);
});

describe('an unused query parameter', () => {
  test.each([
    ['does not exist if all are read', { limit: '5', workspace_id: 'w' }, []],
    ['is reported', { whatever: '1' }, ['whatever is not a query parameter of this operation']],
    [
      'is reported with a suggestion from any part of the operation',
      { limt: '5', workspaceid: 'w' },
      [
        'limt is not a query parameter of this operation; did you mean limit?',
        'workspaceid is not a query parameter of this operation; did you mean workspace_id?',
      ],
    ],
    ['may have any name', { constructor: '1' }, ['constructor is not a query parameter of this operation']],
    [
      'is reported by a name that fits a header',
      { 'é\r\n': '1' },
      ['??? is not a query parameter of this operation'],
    ],
  ])('%s', (_, sent, warnings) => {
    expect(ask(sent, first, second).warnings).toEqual(warnings);
  });

  test('is reported for an operation without parameters; of many only some are', () => {
    expect(ask({ limit: '5' }).warnings).toEqual(['limit is not a query parameter of this operation']);
    expect(ask({ a: '', b: '', c: '', d: '', e: '', f: '' }).warnings).toHaveLength(5);
  });

  test('of one request does not affect the next one', () => {
    ask({ limit: '5' }, first);
    expect(ask({ limit: '5' }).warnings).toHaveLength(1);
  });
});
