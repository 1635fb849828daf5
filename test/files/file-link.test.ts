import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileLink } from '../../functions/files/file-link.ts';

const ROLE = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  endpoint: undefined,
};
const NOW = new Date('2026-01-01T00:00:00Z');

async function dispositionOf(filename: string): Promise<string | null> {
  const file = {
    id: 'gw_file_01jg000000000000000000000a',
    workspace_id: 'ws-1',
    filename,
    mime_type: 'text/plain',
    size_bytes: 1,
    purpose: 'user_data',
    created_at: NOW.toISOString(),
  };
  const { url } = await fileLink(ROLE, 'files', file, NOW);
  return new URL(url).searchParams.get('response-content-disposition');
}

test('a download has its file’s name, as strict clients read it', async () => {
  expect(await dispositionOf("it's (1)*.txt")).toBe("attachment; filename*=UTF-8''it%27s%20%281%29%2A.txt");
});

/** `ext-value` from RFC 8187. */
const DISPOSITION = /^attachment; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)$/;

test('any name comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (filename) => {
      const [, encoded = ''] = DISPOSITION.exec((await dispositionOf(filename)) ?? '') ?? [];
      expect(decodeURIComponent(encoded)).toBe(filename);
    }),
    { numRuns: 50 },
  );
});
