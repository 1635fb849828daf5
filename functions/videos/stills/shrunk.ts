/** Four bytes a pixel: red, green, blue, and one that JPEG has no use for. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * A picture whose sides are at most `longest`, of the rows of a larger one. Each pixel is the mean of those that it stands
 * for. It keeps one row of sums, so rows that arrive one by one never have to be in memory together.
 */
export async function shrunk(
  rows: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  size: { readonly width: number; readonly height: number },
  longest: number,
): Promise<Picture> {
  const factor = Math.ceil(Math.max(size.width, size.height) / longest);
  const width = Math.max(1, Math.floor(size.width / factor));
  const height = Math.max(1, Math.floor(size.height / factor));
  const data = new Uint8Array(width * height * 4);
  // A side that is shorter than the factor has fewer pixels for its one.
  const [across, down] = [Math.min(factor, size.width), Math.min(factor, size.height)];
  const sums = new Uint32Array(width * 4);
  let y = 0;
  for await (const row of rows) {
    addRow(sums, row, across);
    y++;
    if (y % down !== 0) continue;
    data.set(
      sums.map((sum) => sum / (across * down)),
      (y / down - 1) * width * 4,
    );
    sums.fill(0);
    if (y === height * down) break;
  }
  return { width, height, data };
}

function addRow(sums: Uint32Array, row: Uint8Array, across: number): void {
  for (let at = 0; at < sums.length; at++) {
    const from = (at >> 2) * across * 4 + (at & 3);
    let sum = 0;
    for (let i = 0; i < across; i++) sum += row[from + i * 4] ?? 0;
    sums[at] = (sums[at] ?? 0) + sum;
  }
}

export function* rowsOf({ width, height, data }: Picture): Generator<Uint8Array> {
  for (let y = 0; y < height; y++) yield data.subarray(y * width * 4, (y + 1) * width * 4);
}
