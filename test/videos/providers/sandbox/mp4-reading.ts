/** Reads the parts of an MP4 that tests compare, without the code under test. */
export function findBox(file: Uint8Array, ...path: string[]): Buffer {
  let within = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (const type of path) {
    let at = 0;
    while (within.toString('latin1', at + 4, at + 8) !== type) {
      at += within.readUInt32BE(at);
      if (at >= within.length) throw new Error(`no ${type} box`);
    }
    within = within.subarray(at + 8, at + within.readUInt32BE(at));
  }
  return within;
}

/** A box from the sample table of the first track. */
export function tableBox(file: Uint8Array, type: string): Buffer {
  return findBox(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', type);
}

/** The sequence parameter set and the access units of the first track, found through its tables. */
export function videoSamples(file: Uint8Array): { sps: Uint8Array; samples: Uint8Array[] } {
  const configuration = findBox(tableBox(file, 'stsd').subarray(8 + 8 + 78), 'avcC');
  const sps = configuration.subarray(8, 8 + configuration.readUInt16BE(6));
  const sizes = tableBox(file, 'stsz');
  let at = tableBox(file, 'stco').readUInt32BE(8);
  const samples = Array.from({ length: sizes.readUInt32BE(8) }, (_, i) => {
    const size = sizes.readUInt32BE(12 + 4 * i);
    at += size;
    return file.subarray(at - size, at);
  });
  return { sps, samples };
}

/** The numbers of the key samples, from 1. */
export function keySamples(file: Uint8Array): number[] {
  const table = tableBox(file, 'stss');
  return Array.from({ length: table.readUInt32BE(4) }, (_, i) => table.readUInt32BE(8 + 4 * i));
}
