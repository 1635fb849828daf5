/**
 * What the boxes of an MP4 file (ISO/IEC 14496-12) tell of it. The bytes come from outside, so every length is checked
 * against what is there, and every walk only moves forward.
 */
export class Mp4StructureError extends Error {
  override readonly name = 'Mp4StructureError';
}

export interface Box {
  readonly type: string;
  readonly body: Uint8Array;
}

export const BOX_HEADER = 8;
export const LARGE_BOX_HEADER = 16;
/** Writers put some dozens into a box, and each costs as much as reading a hundred bytes. */
const MOST_BOXES_IN_A_BOX = 1_000;

export interface BoxHeader {
  readonly type: string;
  readonly headerSize: number;
  /** The size of the whole box; infinite for one that runs to the end. */
  readonly size: number;
}

/** The header at the start of `bytes`, of which `length` are there; undefined while it is not complete. */
export function readBoxHeader(bytes: Uint8Array, length = bytes.length): BoxHeader | undefined {
  if (length < BOX_HEADER) return undefined;
  const view = viewOf(bytes);
  const type = fourCc(bytes, 4);
  const size = view.getUint32(0);
  if (size === 0) return { type, headerSize: BOX_HEADER, size: Number.POSITIVE_INFINITY };
  const headerSize = size === 1 ? LARGE_BOX_HEADER : BOX_HEADER;
  if (length < headerSize) return undefined;
  const header = { type, headerSize, size: size === 1 ? Number(view.getBigUint64(8)) : size };
  if (header.size < headerSize) throw new Mp4StructureError('A box is smaller than its own header');
  return header;
}

export function boxesIn(bytes: Uint8Array, most = MOST_BOXES_IN_A_BOX): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  for (;;) {
    const header = readBoxHeader(bytes.subarray(at));
    // The rest may be the four zero bytes with which QuickTime writers end a list.
    if (header === undefined) return boxes;
    if (boxes.length === most) throw new Mp4StructureError('The file has too many boxes');
    const end = Number.isFinite(header.size) ? at + header.size : bytes.length;
    if (end > bytes.length) {
      throw new Mp4StructureError(`The ${header.type} box extends beyond the end of its parent`);
    }
    boxes.push({ type: header.type, body: bytes.subarray(at + header.headerSize, end) });
    at = end;
  }
}

export function child(boxes: readonly Box[], type: string): Uint8Array {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new Mp4StructureError(`The required ${type} box is missing`);
  return found.body;
}

export function uint(bytes: Uint8Array, at: number, length: number): number {
  if (at + length > bytes.length) throw new Mp4StructureError('A box is too short for its fields');
  let value = 0;
  for (const byte of bytes.subarray(at, at + length)) value = value * 256 + byte;
  return value;
}

export function fourCc(bytes: Uint8Array, at: number): string {
  if (at + 4 > bytes.length) throw new Mp4StructureError('A box is too short for its fields');
  return String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
