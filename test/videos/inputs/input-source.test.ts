import { describe, expect, test } from '@jest/globals';
import { inlineSource, inputSource } from '../../../functions/videos/inputs/input-source.ts';

describe('the source of an input', () => {
  test.each([
    ['https://a.example/1.png', { kind: 'address', url: 'https://a.example/1.png' }],
    ['gw_file_01jg000000000000000000000a', { kind: 'file', id: 'gw_file_01jg000000000000000000000a' }],
    ['gw_file_../other', { kind: 'address', url: 'gw_file_../other' }],
    [
      inlineSource('image/png', 'ws-1/vid_1/frame-0'),
      { kind: 'inline', mediaType: 'image/png', key: 'ws-1/vid_1/frame-0' },
    ],
  ])('%s', (url, source) => expect(inputSource(url)).toEqual(source));
});
