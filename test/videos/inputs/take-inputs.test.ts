import { describe, expect, test } from '@jest/globals';
import { InvalidRequest } from '../../../functions/http/errors.ts';
import type { RequestedVideo } from '../../../functions/videos/catalogue/requested-video.ts';
import { imageType } from '../../../functions/videos/inputs/inline-images.ts';
import { takeInputs } from '../../../functions/videos/inputs/take-inputs.ts';
import { aJob, START } from '../jobs/job-fixture.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const data = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const IMAGE = 'gw_file_01jg000000000000000000000a';
const SOUND = 'gw_file_01jg000000000000000000000b';
const TYPES = new Map([
  [IMAGE, 'image/png'],
  [SOUND, 'audio/mpeg'],
]);

const CLIP = 'vid_01jg000000000000000000000c';
const OPEN = 'vid_01jg000000000000000000000d';
const DAY = 86_400_000;
const COMPLETED = aJob({
  id: CLIP,
  status: 'completed',
  outputs: [{ key: 'kept-30d/ws-1/c/1/0.mp4', size_bytes: 1, sha256: '' }],
  stills: [{ last_frame: 'kept-30d/ws-1/c/1/0.last.jpg' }],
  completed_at: START.toISOString(),
  kept_days: 30,
});

async function take(video: Partial<RequestedVideo>, workspaceId = 'ws-1') {
  const asked = { workspaceId, jobId: 'vid_1', video: { ...aJob().request, ...video } };
  const { video: taken, images } = await takeInputs(asked, {
    files: {
      find: async (workspace, id) => {
        const mime_type = workspace === 'ws-1' ? TYPES.get(id) : undefined;
        if (mime_type === undefined) return undefined;
        const row = {
          id,
          workspace_id: workspace,
          filename: 'f',
          size_bytes: 1,
          purpose: 'p',
          created_at: '',
        };
        return { ...row, mime_type };
      },
    },
    jobs: { look: async (id) => (id === CLIP ? COMPLETED : id === OPEN ? aJob() : undefined) },
    imageType,
    allowedHosts: new Set(),
    now: () => new Date(START.getTime() + DAY),
  });
  return { taken, images };
}
const first = (url: string): Partial<RequestedVideo> => ({
  frame_images: [{ frame_type: 'first_frame', url }],
});
const reference = (kind: 'image' | 'audio' | 'video' | 'extend', url: string): Partial<RequestedVideo> => ({
  input_references: [{ kind, url }],
});

describe('an input', () => {
  test('that is inline becomes an object of the job, with the type of its bytes', async () => {
    const { taken, images } = await take(first(data(PNG, 'image/jpeg')));
    expect(taken.frame_images[0]?.url).toBe('inline:image/png;inputs/ws-1/vid_1/frame-0');
    expect(images).toEqual([{ key: 'inputs/ws-1/vid_1/frame-0', bytes: PNG, mediaType: 'image/png' }]);
  });

  test('that is a file or an address stays unchanged', async () => {
    const frame = await take(first(IMAGE));
    expect(frame.taken.frame_images[0]?.url).toBe(IMAGE);
    const sound = await take(reference('audio', SOUND));
    expect(sound.taken.input_references[0]?.url).toBe(SOUND);
    const address = await take(reference('video', 'https://cdn.acme.com/v.mp4'));
    expect(address.taken.input_references[0]?.url).toBe('https://cdn.acme.com/v.mp4');
    expect([frame, sound, address].map(({ images }) => images.length)).toEqual([0, 0, 0]);
  });

  test('that is a completed video is that video, or its last frame where an image is wanted', async () => {
    const urls = async (video: Partial<RequestedVideo>) => {
      const { taken } = await take(video);
      return [...taken.frame_images, ...taken.input_references].map(({ url }) => url);
    };
    expect(await urls(reference('video', CLIP))).toEqual([CLIP]);
    expect(await urls(reference('extend', CLIP))).toEqual([CLIP]);
    expect(await urls(first(CLIP))).toEqual([`${CLIP}#last`]);
    expect(await urls(reference('image', CLIP))).toEqual([`${CLIP}#last`]);
  });

  test.each<[string, Partial<RequestedVideo>, RegExp]>([
    ['a video as a sound', reference('audio', CLIP), /is a video, but an audio clip is required/],
    [
      'a video that is not made yet',
      reference('video', OPEN),
      /^input_references: .* has the status pending; only a/,
    ],
    [
      'a source that is not made yet',
      reference('extend', OPEN),
      /^previous_job_id: .* has the status pending; only a/,
    ],
    [
      'a video that does not exist',
      first(OPEN.replace(/.$/, 'e')),
      /^frame_images: .* does not exist in this/,
    ],
    ['text in disguise', first(data(Buffer.from('<svg onload=alert(1)>'))), /^frame_images: .* not an image/],
    [
      'a PDF in disguise',
      reference('image', data(Buffer.from('%PDF-1.7 '))),
      /^input_references: .* not an image/,
    ],
    ['a sound as an image', first(SOUND), /is audio\/mpeg, but an image is required/],
    ['an image as a sound', reference('audio', IMAGE), /is image\/png, but an audio clip is required/],
    ['a file that does not exist', first(IMAGE.replace('a', 'z')), /does not exist in this workspace/],
    ['a private address', first('https://169.254.169.254/latest'), /must have a host name, not an IP/],
    ['an address with a password', first('https://me:pw@cdn.acme.com/1.png'), /must not contain credentials/],
    ['a local name', first('https://db.internal/1.png'), /must have a public host name/],
  ])('that is %s is refused', async (_, video, message) => {
    await expect(take(video)).rejects.toThrow(InvalidRequest);
    await expect(take(video)).rejects.toThrow(message);
  });

  test('of another workspace gets the same error as one that does not exist', async () => {
    await expect(take(first(IMAGE), 'ws-2')).rejects.toThrow(`${IMAGE} does not exist in this workspace`);
  });
});
