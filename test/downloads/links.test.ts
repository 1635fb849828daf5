import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { edgeLinks, type MakeLink, s3Links } from '../../functions/downloads/links.ts';

const NOW = new Date('2026-01-01T00:00:00.700Z');
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Where each says until when it works, and what the file is called. */
interface Adapter {
  readonly makeLink: MakeLink;
  readonly ends: (url: URL) => number;
  readonly name: (url: URL) => string | null;
}

const adapters: [string, Adapter][] = [
  [
    'S3',
    {
      makeLink: s3Links({ region: 'eu-central-1', credentials, endpoint: undefined }, 'bucket'),
      ends: ({ searchParams }) =>
        Date.parse('2026-01-01T00:00:00Z') / 1000 + Number(searchParams.get('X-Amz-Expires')),
      name: ({ searchParams }) => searchParams.get('response-content-disposition'),
    },
  ],
  [
    'the edge',
    {
      makeLink: edgeLinks({ url: 'https://d1.example.net', keyPairId: 'K1', key: async () => privateKey }),
      ends: ({ searchParams }) => Number(searchParams.get('Expires')),
      // The edge puts what was sent, undecoded, behind the beginning of the header.
      name: ({ search }) => `attachment; filename*=UTF-8''${/[?&]filename=([^&]*)/.exec(search)?.[1]}`,
    },
  ],
];

describe.each(adapters)('a link to %s', (_, { makeLink, ends, name }) => {
  const video = { key: 'kept-1d/w/j/0.mp4', shownAs: 'video' } as const;
  const file = (filename: string) => ({ key: 'w/gw_file_1', shownAs: 'attachment', filename }) as const;

  test.each([
    [undefined, 300],
    [3600, 3600],
  ])('asked to work for %s s works for %i s', async (asked, seconds) => {
    const { url, expiresAt } = await makeLink(video, NOW, asked);
    expect(ends(new URL(url))).toBe(Date.parse('2026-01-01T00:00:00Z') / 1000 + seconds);
    expect(Math.floor(expiresAt.getTime() / 1000)).toBe(ends(new URL(url)));
  });

  test('leads to its object', async () => {
    expect(new URL((await makeLink(video, NOW)).url).pathname).toBe('/kept-1d/w/j/0.mp4');
    expect(new URL((await makeLink(file('a.txt'), NOW)).url).pathname).toBe('/w/gw_file_1');
  });

  test('gives a file its name, as strict clients read it', async () => {
    const { url } = await makeLink(file("it's (1)*.txt"), NOW);
    expect(name(new URL(url))).toBe("attachment; filename*=UTF-8''it%27s%20%281%29%2A.txt");
  });

  /** `ext-value` from RFC 8187. */
  const DISPOSITION = /^attachment; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)$/;

  test('gives back any name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (filename) => {
        const { url } = await makeLink(file(filename), NOW);
        const [, encoded = ''] = DISPOSITION.exec(name(new URL(url)) ?? '') ?? [];
        expect(decodeURIComponent(encoded)).toBe(filename);
      }),
      { numRuns: 50 },
    );
  });
});
