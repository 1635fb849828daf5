import { describe, expect, test } from '@jest/globals';
import { checkHistory } from './check-history.ts';
import type { Exchange } from './exchange.ts';

const JOB = 'vid_1';
const FILE = 'gw_file_1';
const job = (status: string, more: object = {}) => ({ id: JOB, status, ...more });
const stored = { id: FILE, size_bytes: 3 };
const refused = { error: { code: 404, message: 'No such video job' } };

/** Exchanges one after another. A test can set `begun` and `ended`. */
const lived = (...exchanges: readonly (Partial<Exchange> & Pick<Exchange, 'operation'>)[]): Exchange[] =>
  exchanges.map((exchange, place) => ({
    tenant: 'one',
    begun: 10 * place,
    ended: 10 * place + 5,
    status: 200,
    body: undefined,
    ...exchange,
  }));

const submit = { operation: 'submit', status: 202, body: job('pending') } as const;
const get = (body: object, more: Partial<Exchange> = {}) =>
  ({ operation: 'get', id: JOB, body, ...more }) as const;
const gone = { operation: 'get', id: JOB, status: 404, body: refused } as const;
const upload = { operation: 'upload', body: stored } as const;
const read = { operation: 'get file', id: FILE, body: stored } as const;
const noFile = { ...read, status: 404, body: refused };
const removal = { operation: 'delete file', id: FILE } as const;
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
      [submit, get(ended), { operation: 'list', body: { data: [job('pending')] } }],
    ],
    ["another's job, as if there were none", [submit, { ...gone, tenant: 'two' }]],
    ['a file until it is deleted', [upload, read, removal, noFile]],
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
    ['another end', [submit, get(job('failed')), get(job('cancelled'))], 'had ended as'],
    ['a second bill', [submit, get(ended), get(job('completed', { usage: { cost: 2 } }))], 'had ended as'],
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
      [submit, { operation: 'list', tenant: 'two', body: { data: [ended] } }],
      "another's",
    ],
    ["another's file", [upload, { ...read, tenant: 'two' }], "another's gw_file_1"],
    ["another's file deleted", [upload, { ...removal, tenant: 'two' }], "succeeds with another's gw_file_1"],
    ['a file that is lost', [upload, noFile], 'was stored'],
    ['a file that exists after its deletion', [upload, removal, read], 'was deleted'],
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
