import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import { anthropicFiles } from '../../../functions/files/providers/anthropic-files.ts';
import type { ProviderFiles } from '../../../functions/files/providers/file-provider.ts';
import { openaiFiles } from '../../../functions/files/providers/openai-files.ts';
import { LARGEST_LAMBDA_FILE } from '../../../functions/files/size-limits.ts';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';
import { readUploadForm } from '../../../functions/files/upload/upload-form.ts';
import { NotFound } from '../../../functions/http/errors.ts';
import { startVendors, type VendorServer } from './vendor-server.ts';

let vendors: VendorServer;
beforeAll(async () => {
  vendors = await startVendors();
});
afterAll(() => vendors.close());

const ADAPTERS = { openai: openaiFiles, anthropic: anthropicFiles };
const NAMES = ['openai', 'anthropic'] as const;

function account(name: (typeof NAMES)[number], apiKey: string, deadlineMilliseconds = 5_000): ProviderFiles {
  const fetch = createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds });
  const now = () => new Date('2026-01-02T03:04:05Z');
  return ADAPTERS[name]({ name, apiKey, fetch, baseUrl: vendors.baseUrls[name], now });
}

const TYPE = 'multipart/form-data; boundary=b';
const file = (content: string, filename = 'notes.txt') =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: text/plain\r\n\r\n${content}\r\n`;
const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const END = '--b--\r\n';

const upload = async (to: ProviderFiles, body: string | Iterable<Buffer>) => {
  const source = Readable.from(typeof body === 'string' ? [Buffer.from(body)] : body, { objectMode: false });
  const form = await readUploadForm(
    { body: source, contentType: TYPE },
    (part) => new StreamedFile((read) => to.upload(read, part)),
  );
  return form.file;
};

describe('a list at a provider', () => {
  const PAGE = { limit: 7, after: undefined };
  const asked = async (name: (typeof NAMES)[number], query: object) => {
    await account(name, `sk-${name}-asked`).list({ ...PAGE, ...query });
    return vendors.seen.at(-1)?.url.replace(/^[^?]*\?/, '');
  };

  test('is asked for in the words of its API', async () => {
    expect(await asked('openai', { newestFirst: true })).toBe('limit=7&order=desc');
    expect(await asked('anthropic', { ids: ['a', 'b'] })).toBe('ids%5B%5D=a&ids%5B%5D=b');
    expect(await asked('anthropic', { scopeId: 's' })).toBe('limit=7&scope_id=s');
  });

  test('by IDs of which none can exist is empty, because Anthropic would list every file', async () => {
    const mine = account('anthropic', 'sk-anthropic-none');
    await upload(mine, `${file('a note', 'a.txt')}${END}`);
    expect(await mine.list({ ...PAGE, ids: [] })).toEqual({ files: [], hasMore: false });
  });

  test.each([
    ['openai', { ids: ['a'] }, 'ids[]'],
    ['openai', { scopeId: 's' }, 'scope_id'],
    ['anthropic', { newestFirst: true }, 'order'],
  ] as const)('is refused by name where %s cannot do it: %j', async (name, query, path) => {
    await expect(asked(name, query)).rejects.toMatchObject({ status: 400, metadata: { path } });
  });
});

describe.each(NAMES)('files at %s', (name) => {
  test('are uploaded, found, listed, read and deleted', async () => {
    const mine = account(name, `sk-${name}-whole`);
    const first = await upload(
      mine,
      `${file('first', 'a/Ärger \\"1\\".txt')}${field('purpose', 'vision')}${END}`,
    );
    expect(first).toEqual({
      id: expect.stringMatching(/^file[-_]/),
      filename: 'a/Ärger "1".txt',
      mime_type: name === 'openai' ? 'application/octet-stream' : 'text/plain',
      size_bytes: 5,
      purpose: name === 'openai' ? 'vision' : 'user_data',
      created_at: '2026-01-02T03:04:05.000Z',
      downloadable: false,
    });
    const second = await upload(mine, `${field('purpose', 'batch')}${file('second')}${END}`);
    expect(await mine.find(first.id)).toEqual(first);
    expect(await mine.list({ limit: 1, after: undefined })).toEqual({ files: [first], hasMore: true });
    expect(await mine.list({ limit: 1, after: first.id })).toEqual({ files: [second], hasMore: false });
    expect(Buffer.from(await mine.content(second.id)).toString()).toBe('second');
    await mine.remove(first.id);
    for (const gone of [mine.find(first.id), mine.remove(first.id), mine.content(first.id)]) {
      await expect(gone).rejects.toThrow(NotFound);
    }
    const theirs = account(name, `sk-${name}-other`);
    await expect(theirs.find(second.id)).rejects.toThrow(NotFound);
  });

  test('of many chunks pass unchanged, and need no declared length', async () => {
    const mine = account(name, `sk-${name}-chunks`);
    const chunk = Buffer.from('0123456789abcdef'.repeat(4096));
    const [head = '', tail = ''] = `${file('|')}${END}`.split('|');
    const body = function* () {
      yield Buffer.from(head);
      for (let i = 0; i < 40; i++) yield chunk;
      yield Buffer.from(tail);
    };
    const stored = await upload(mine, body());
    expect(stored.size_bytes).toBe(40 * chunk.length);
    const content = Buffer.from(await mine.content(stored.id));
    expect(content.equals(Buffer.concat(Array(40).fill(chunk)))).toBe(true);
    const last = vendors.seen.findLast(({ method }) => method === 'POST');
    expect(last?.headers['content-length']).toBeUndefined();
  });

  test('that are too large to be passed back are refused', async () => {
    const mine = account(name, `sk-${name}-large`);
    const fits = await upload(mine, `${file('a'.repeat(LARGEST_LAMBDA_FILE))}${END}`);
    expect(await mine.content(fits.id)).toHaveLength(LARGEST_LAMBDA_FILE);
    const large = await upload(mine, `${file('a'.repeat(LARGEST_LAMBDA_FILE + 1))}${END}`);
    await expect(mine.content(large.id)).rejects.toMatchObject({ status: 400 });
  });

  test.each<[string, string, RegExp]>([
    ['is cut off in the file', file('abc').slice(0, -4), /cut off|closing delimiter|end/i],
    ['is cut off after the file', file('abc'), /cut off|closing delimiter|end/i],
    ['has an unknown purpose', `${file('abc')}${field('purpose', 'fun')}${END}`, /^purpose:/],
    ['holds two files', `${file('abc')}${file('def')}${END}`, /one part named file/],
    ['holds an empty file', `${file('')}${END}`, /empty/],
    ['has a name that climbs', `${file('abc', '../a')}${END}`, /^filename:/],
  ])('are not kept from a form that %s', async (_, body, message) => {
    const mine = account(name, `sk-${name}-refused-${_.replaceAll(' ', '-')}`);
    await expect(upload(mine, body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
    expect(await mine.list({ limit: 10, after: undefined })).toEqual({ files: [], hasMore: false });
  });

  const operations: [string, (at: ProviderFiles) => Promise<unknown>][] = [
    ['an upload', (at) => upload(at, `${file('abc')}${END}`)],
    ['a list', (at) => at.list({ limit: 1, after: undefined })],
    ['a look', (at) => at.find('file-1')],
    ['a deletion', (at) => at.remove('file-1')],
    ['a download', (at) => at.content('file-1')],
  ];
  describe.each(operations)('%s', (what, run) => {
    // A file may contain anything, so no download is garbled.
    const garbled: [string, number, object][] =
      what === 'a download'
        ? []
        : [
            ['garbled', 502, {}],
            ['strange', 502, {}],
          ];
    test.each<[string, number, object]>([
      ['refusing', 400, {}],
      ['busy', 503, { 'retry-after': '7' }],
      ['overloaded', 503, { 'retry-after': '5' }],
      ['unavailable', 503, { 'retry-after': '5' }],
      ['broken', 502, {}],
      ['redirecting', 502, {}],
      ['dropping', 502, {}],
      ...garbled,
    ])('at a vendor that is %s is %p', async (fault, status, headers) => {
      const error = await run(account(name, `sk-test-${fault}`)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status, headers });
      expect(String(error)).not.toMatch(/sk-test|stack trace/);
    });

    test('at a vendor that never answers is 502', async () => {
      await expect(run(account(name, 'sk-test-hanging', 150))).rejects.toMatchObject({ status: 502 });
    });
  });

  test('at a forbidden address are 502', async () => {
    const fetch = createEgress({ allowed: new Set(), deadlineMilliseconds: 5_000 });
    const options = { name, apiKey: 'k', fetch, baseUrl: vendors.baseUrls[name], now: () => new Date() };
    await expect(ADAPTERS[name](options).find('file-1')).rejects.toMatchObject({ status: 502 });
  });
});

test('a file with an impossible time is an unusable response', async () => {
  await expect(account('openai', 'sk-test-timeless').find('file-1')).rejects.toMatchObject({ status: 502 });
});
