import { describe, expect, test } from '@jest/globals';
import { H264Encoder } from '../../../../functions/videos/providers/sandbox/h264-encoder.ts';
import { muxMp4 } from '../../../../functions/videos/providers/sandbox/mp4-muxer.ts';
import { describeMp4 } from '../../../../functions/videos/results/mp4-structure.ts';
import { findBox, keySamples, tableBox, videoSamples } from './mp4-reading.ts';

const { sps, pps } = new H264Encoder({ width: 66, height: 64, fps: 12 });
const samples = [
  { bytes: Uint8Array.of(1, 1, 1, 1, 1), key: true },
  { bytes: Uint8Array.of(2, 2), key: false },
  { bytes: Uint8Array.of(3, 3, 3), key: true },
];
const movie = { width: 66, height: 64, fps: 12, sps, pps, samples, silentAudio: false };
const oneSecond = { ...movie, samples: Array.from({ length: 12 }, () => samples[0]!), silentAudio: true };

const mux = (what = movie) => Buffer.concat([...muxMp4(what)]);

describe('muxMp4', () => {
  test('hands the samples on as they are, after all that a player needs first', () => {
    const [head, ...rest] = muxMp4(movie);
    expect(rest).toHaveLength(3);
    for (const [i, piece] of rest.entries()) expect(piece).toBe(samples[i]!.bytes);
    expect(Buffer.from(head!).toString('latin1', 4, 8)).toBe('ftyp');
    expect(Buffer.from(head!).toString('latin1', head!.length - 4)).toBe('mdat');
  });

  test('says where every sample is, and which are keys', () => {
    const read = videoSamples(mux());
    expect(read.samples.map((sample) => [...sample])).toEqual(samples.map(({ bytes }) => [...bytes]));
    expect([...read.sps]).toEqual([...sps]);
    expect(keySamples(mux())).toEqual([1, 3]);
  });

  test('says what it is', () => {
    expect(describeMp4(mux())).toEqual({
      durationSeconds: 0.25,
      width: 66,
      height: 64,
      videoCodec: 'avc1.42C014',
      hasAudio: false,
      fastStart: true,
    });
    expect(describeMp4(mux(oneSecond))).toMatchObject({ durationSeconds: 1, hasAudio: true });
  });

  test('repeats its silent frame for as long as the pictures last, and no longer', () => {
    const file = mux(oneSecond);
    const moov = findBox(file, 'moov');
    const sound = moov.subarray(moov.lastIndexOf('trak') - 4);
    const table = (type: string) => findBox(sound, 'trak', 'mdia', 'minf', 'stbl', type);
    const [frameSize, frames] = [table('stsz').readUInt32BE(4), table('stsz').readUInt32BE(8)];
    expect(frames).toBe(43); // 43 x 1024 samples are 0.998 s; 44 would be 1.02 s
    expect(table('stts').readUInt32BE(12)).toBe(1024);
    const start = table('stco').readUInt32BE(8);
    const silence = file.subarray(start, start + frameSize * frames);
    const frame = silence.subarray(0, frameSize);
    expect(frame.toString('hex')).toBe('210049900219002380');
    for (let i = 0; i < frames; i++) {
      expect(silence.subarray(i * frameSize, (i + 1) * frameSize).equals(frame)).toBe(true);
    }
    expect(start + silence.length).toBe(tableBox(file, 'stco').readUInt32BE(8));
  });

  test('describes the sound in descriptors whose lengths add up', () => {
    const file = mux(oneSecond);
    const esds = file.subarray(file.indexOf('esds') + 8);
    const nested = [3, 4, 5, 6].map((tag) => esds.indexOf(tag, tag === 6 ? esds.indexOf('1210', 'hex') : 0));
    const [es, config, specific, sync] = nested.map((at) => ({ at, end: at + 2 + esds[at + 1]! }));
    expect(esds.subarray(specific!.at + 2, specific!.end).toString('hex')).toBe('1210');
    expect(specific!.end).toBe(config!.end);
    expect(sync!.at).toBe(config!.end);
    expect(sync!.end).toBe(es!.end);
  });
});
