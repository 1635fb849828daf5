import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { StoredFile } from '../../functions/files/file.ts';
import { loggedInputs } from '../../functions/generations/logged-inputs.ts';
import { inlineSource } from '../../functions/videos/inputs/input-source.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';

const FILE = 'gw_file_01jg000000000000000000000a';
const GONE = 'gw_file_01jg000000000000000000000b';
const ADDRESS = 'https://cdn.example/fox.png?token=very-secret#part';
const BYTES = Buffer.from('an image');
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

const file: StoredFile = {
  id: FILE,
  workspace_id: 'ws-1',
  filename: 'fox.wav',
  mime_type: 'audio/wav',
  size_bytes: 7,
  purpose: 'user_data',
  created_at: '2026-01-01T00:00:00Z',
};
const ports = {
  files: {
    find: async (workspace: string, id: string) => (workspace === 'ws-1' && id === FILE ? file : undefined),
  },
  openInline: async (key: string) => (key.endsWith('/frame-0') ? new Blob([BYTES]).stream() : undefined),
};
const request = {
  ...aJob().request,
  frame_images: [
    { frame_type: 'first_frame' as const, url: inlineSource('image/png', 'inputs/ws-1/vid_1/frame-0') },
    { frame_type: 'last_frame' as const, url: inlineSource('image/png', 'inputs/ws-1/vid_1/frame-1') },
  ],
  input_references: [
    { kind: 'image' as const, url: ADDRESS },
    { kind: 'audio' as const, url: FILE },
    { kind: 'video' as const, url: GONE },
  ],
};

test('inputs are named and measured, and neither their bytes nor their secrets are kept', async () => {
  expect(await loggedInputs('ws-1', request, ports)).toEqual([
    {
      role: 'first_frame',
      name: 'inline/frame-0',
      content_type: 'image/png',
      size_bytes: BYTES.length,
      sha256: sha256(BYTES),
    },
    { role: 'last_frame', name: 'inline/frame-1', content_type: 'image/png' },
    { role: 'image', name: 'https://cdn.example/fox.png', url_sha256: sha256(ADDRESS) },
    { role: 'audio', name: FILE, filename: 'fox.wav', content_type: 'audio/wav', size_bytes: 7 },
    { role: 'video', name: GONE },
  ]);
});

test('an address that becomes far longer by encoding is cut', async () => {
  const address = `https://cdn.example/${'\u20ac'.repeat(2_000)}`;
  const inputs = [{ kind: 'image' as const, url: address }];
  const [logged] = await loggedInputs('ws-1', { ...aJob().request, input_references: inputs }, ports);
  expect(logged).toEqual({
    role: 'image',
    name: new URL(address).href.slice(0, 2_048),
    url_sha256: sha256(address),
  });
});
