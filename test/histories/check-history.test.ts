import { describe, expect, test } from '@jest/globals';
import { checkHistory } from './check-history.ts';
import type { Exchange } from './exchange.ts';

const JOB = 'vid_1';
const FILE = 'gw_file_1';
const job = (status: string, more: object = {}) => ({ id: JOB, status, ...more });
const stored = { id: FILE, size_bytes: 3 };
const refused = { error: { code: 404, message: 'No such video job' } };

/** Exchanges one after another. A test can set `begun` and `ended`. */
const lived = (...exchanges: readonly (Partial<Exchange> & Pick<Exchange, 'route'>)[]): Exchange[] =>
  exchanges.map((exchange, place) => ({
    tenant: 'one',
    begun: 10 * place,
    ended: 10 * place + 5,
    status: 200,
    body: undefined,
    ...exchange,
  }));

const submit = { route: 'submit-video', status: 202, body: job('pending') } as const;
const get = (body: object, more: Partial<Exchange> = {}) =>
  ({ route: 'get-video', id: JOB, body, ...more }) as const;
const gone = { route: 'get-video', id: JOB, status: 404, body: refused } as const;
const upload = { route: 'upload-file', body: stored } as const;
const read = { route: 'get-file', id: FILE, body: stored } as const;
const noFile = { ...read, status: 404, body: refused };
const expiring = { ...stored, expires_at: new Date(1_000).toISOString() };
const files = (...data: readonly object[]) =>
  ({ route: 'list-files', body: { object: 'list', data, has_more: false } }) as const;
const deleted = { route: 'delete-video', id: JOB } as const;
const removal = { route: 'delete-file', id: FILE } as const;
const order = { ...submit, idempotencyKey: 'a' };
const ended = job('completed', { usage: { cost: 1 } });

describe('what clients may see', () => {
  test.each([
    [
      'a job that goes forward',
      [submit, get(job('pending')), get(job('in_progress')), get(ended), get(ended)],
    ],
    ['a job with one slow answer', [submit, get(job('pending'), { begun: 1, ended: 99 }), get(ended)]],
    ['an order that is sent again', [order, { ...order, status: undefined, body: undefined }, order]],
    [
      'equal idempotency keys of two tenants',
      [order, { ...order, tenant: 'two', body: { ...job('pending'), id: 'vid_2' } }],
    ],
    [
      'a list that lags behind',
      [submit, get(ended), { route: 'list-videos', body: { data: [job('pending')] } }],
    ],
    ["another's job, as if there were none", [submit, { ...gone, tenant: 'two' }]],
    ['a file until it is deleted', [upload, read, removal, noFile]],
    [
      'a file that is gone once it has expired',
      [
        { ...upload, body: expiring },
        { ...noFile, begun: 2_000, ended: 2_001 },
      ],
    ],
    [
      'a file that was deleted without an answer',
      [upload, { ...removal, status: undefined }, noFile, files()],
    ],
    [
      'a file that is missing on the first of two pages',
      [upload, { ...files(), body: { data: [], has_more: true } }],
    ],
    ['a job until it is deleted', [submit, get(ended), deleted, gone, deleted]],
    ['a job whose submit is answered again after its deletion', [order, deleted, order, gone]],
    [
      'a 5xx that reveals nothing',
      [{ ...gone, status: 500, body: { error: { code: 500, message: 'Alas' } } }],
    ],
    [
      'a refusal that quotes the request',
      [{ ...gone, body: { error: { code: 404, message: 'No such video job as table' } } }],
    ],
  ] as const)('%s', (_, exchanges) => {
    expect(checkHistory(lived(...exchanges))).toEqual([]);
  });
});

describe('what clients may not see', () => {
  test.each([
    ['a job that goes back', [submit, get(job('in_progress')), get(job('pending'))], 'was in_progress'],
    ['a job that continues after its end', [submit, get(ended), get(job('in_progress'))], 'was completed'],
    ['another end', [submit, get(job('failed')), get(job('cancelled'))], 'had ended with'],
    ['a second bill', [submit, get(ended), get(job('completed', { usage: { cost: 2 } }))], 'had ended with'],
    ['a job that is lost', [submit, gone], 'was accepted'],
    [
      'two jobs for one order',
      [order, { ...order, body: { ...job('pending'), id: 'vid_2' } }],
      'was answered',
    ],
    ['another answer for one order', [order, { ...order, body: job('in_progress') }], 'was answered'],
    ["another's job", [submit, get(job('pending'), { tenant: 'two' })], "another's vid_1"],
    [
      "another's job in a list",
      [submit, { route: 'list-videos', tenant: 'two', body: { data: [ended] } }],
      "another's",
    ],
    ["another's file", [upload, { ...read, tenant: 'two' }], "another's gw_file_1"],
    ["another's file deleted", [upload, { ...removal, tenant: 'two' }], "succeeds with another's gw_file_1"],
    ['a file that is lost', [upload, noFile], 'was accepted'],
    ['a file that exists after its deletion', [upload, removal, read], 'was deleted'],
    [
      'a file that is found once it has expired',
      [
        { ...upload, body: expiring },
        { ...read, begun: 2_000, ended: 2_001 },
      ],
      'has expired',
    ],
    ['a file that expires too early', [{ ...upload, body: expiring }, noFile], 'was accepted'],
    ['a file that is in no list', [upload, files()], 'was accepted'],
    ['a deleted file in a list', [upload, removal, files(stored)], 'was deleted'],
    ["another's file in a list", [upload, { ...files(stored), tenant: 'two' }], "another's gw_file_1"],
    [
      'a file that is lost by a refused deletion',
      [upload, { ...removal, status: 429, body: refused }, noFile],
      'was accepted',
    ],
    ['a job that is found after its deletion', [submit, deleted, get(ended)], 'was deleted'],
    [
      'an end with another model',
      [submit, get(ended), get(job('completed', { usage: { cost: 1 }, model: 'b' }))],
      'had ended with model',
    ],
    ['a refusal in another form', [{ ...gone, body: 'not found' }], 'another error body'],
    [
      'internals',
      [{ ...gone, status: 500, body: { error: { code: 500, message: 'DynamoDB says no' } } }],
      'internals',
    ],
  ] as const)('%s', (_, exchanges, message) => {
    expect(checkHistory(lived(...exchanges))).toEqual([expect.stringContaining(message)]);
  });
});
