import type { VirtualClock } from '../engines/index.ts';

/** The smallest file that is accepted as a video. */
export const VIDEO = Buffer.concat([
  box('ftyp', 'isom0000'),
  box('moov', '        '),
  box('mdat', 'pictures'),
]);

function box(type: string, content: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type + content)]);
}

/** Comes for minutes, at a pace at which it would arrive in time. */
export function slowVideo({ wait }: VirtualClock, signal: AbortSignal | undefined): Response {
  async function* parts() {
    for (const byte of VIDEO) {
      await wait(8_000, signal);
      yield Uint8Array.of(byte);
    }
  }
  const headers = { 'content-length': String(VIDEO.length) };
  return new Response(ReadableStream.from(parts()), { headers });
}
