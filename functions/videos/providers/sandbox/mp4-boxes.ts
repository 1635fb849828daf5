/** The building bricks of ISO base media files (ISO/IEC 14496-12): big-endian numbers and boxes. */

export function uint8(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

export function uint16(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint16(i * 2, value);
  return bytes;
}

export function uint32(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return bytes;
}

/** Fields that the standard reserves, or whose zero is their default. */
export function zeros(length: number): Uint8Array {
  return new Uint8Array(length);
}

export function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'ascii');
}

export function box(type: string, ...parts: Uint8Array[]): Uint8Array {
  const size = parts.reduce((total, part) => total + part.length, 8);
  return Buffer.concat([uint32(size), ascii(type), ...parts], size);
}

/** A box that starts with a version, always 0 here, and 24 bits of flags. */
export function fullBox(type: string, flags: number, ...parts: Uint8Array[]): Uint8Array {
  return box(type, uint32(flags), ...parts);
}
