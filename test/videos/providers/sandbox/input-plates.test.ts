import { describe, expect, test } from '@jest/globals';
import { inputPlates } from '../../../../functions/videos/providers/sandbox.ts';

const reference = (kind: 'image' | 'audio' | 'video') => ({ kind, url: `https://cdn.example.com/${kind}` });

const none = { frameImages: [], inputReferences: [] };

describe('inputPlates', () => {
  test('has none without inputs', () => expect(inputPlates(none)).toEqual([]));

  test.each([
    ['data:image/png;base64,iVBORw0KGgo=', 'first_frame image/png'],
    ['data:image/svg+xml,<svg/>', 'first_frame image/svg+xml'],
    ['inline:image/webp;ws/vid/frame-0', 'first_frame image/webp'],
    ['gw_file_01jg000000000000000000000a', 'first_frame'],
    ['https://cdn.example.com/a/fox.jpg?signature=secret', 'first_frame cdn.example.com'],
    ['https://user:secret@cdn.example.com:8443/fox.jpg', 'first_frame cdn.example.com:8443'],
    ['not a URL', 'first_frame'],
  ])('names where %s comes from, and nothing secret', (url, plate) => {
    expect(inputPlates({ ...none, frameImages: [{ frameType: 'first_frame', url }] })).toEqual([plate]);
  });

  test('names each frame image and counts references by kind', () => {
    const url = 'https://cdn.example.com/fox.jpg';
    const frameImages = [
      { frameType: 'first_frame', url },
      { frameType: 'last_frame', url },
    ] as const;
    const inputReferences = [reference('image'), reference('video'), reference('image')];
    expect(inputPlates({ frameImages, inputReferences })).toEqual([
      'first_frame cdn.example.com',
      'last_frame cdn.example.com',
      'input_references 2 image, 1 video',
    ]);
  });

  test('names the video that it goes on with', () => {
    const source = { continuation: 'extend' as const, url: 'vid_01jg000000000000000000000c' };
    expect(inputPlates({ ...none, source })).toEqual(['extend vid_01jg000000000000000000000c']);
  });
});
