import { expect, test } from '@jest/globals';
import { classifyOgg } from '../../../functions/files/type-detection/audio.ts';

const OGG = { mimeType: 'audio/ogg' };

function page(packet: string, isBeginning = true): Buffer {
  const body = Buffer.from(packet.padEnd(30, '\0'), 'latin1');
  const header = Buffer.alloc(27);
  header.write('OggS');
  header[5] = isBeginning ? 2 : 0;
  header[26] = 1;
  return Buffer.concat([header, Buffer.from([body.length]), body]);
}
const classify = (...packets: string[]) => classifyOgg(Buffer.concat(packets.map((packet) => page(packet))));

test.each(['\x01vorbis', 'OpusHead', 'Speex   ', '\x7fFLAC'])('%j is audio', (codec) => {
  expect(classify(codec)).toEqual(OGG);
  expect(classify('fishead\0', codec)).toEqual(OGG);
  expect(classify(codec, '\x01vorbis')).toEqual(OGG);
});

test.each([
  ['\x80theora', 'Theora video'],
  ['\x01video\0\0', 'OGM video'],
  ['BBCD', 'Dirac video'],
  ['OVP80', 'VP8 video'],
  ['\x80kate', 'Kate subtitles'],
  ['PCM     ', 'an unknown codec'],
])('%j is not, wherever its stream begins', (codec, name) => {
  expect(classify(codec)).toEqual({ found: `Ogg with ${name}` });
  expect(classify('\x01vorbis', codec)).toEqual({ found: `Ogg with ${name}` });
  expect(classify(codec, '\x01vorbis')).toEqual({ found: `Ogg with ${name}` });
});

test('only the pages that begin a stream count', () => {
  expect(classifyOgg(Buffer.concat([page('OpusHead'), page('\x80theora', false)]))).toEqual(OGG);
});

test.each([0, 4, 26, 27])('%i bytes of a page are no audio', (length) => {
  expect(classifyOgg(page('OpusHead').subarray(0, length))).toEqual({ found: 'Ogg without an audio stream' });
});

test('a file with only a description of its streams is not audio', () => {
  expect(classify('fishead\0')).toEqual({ found: 'Ogg without an audio stream' });
});
