import type { Picture as SmallPicture } from '../../stills/shrunk.ts';
import { GLYPH_ADVANCE, GLYPH_HEIGHT, toGlyphs } from './bitmap-font.ts';
import { drawDisc, drawText, fillRectangle, Picture, type Plane } from './picture.ts';
import type { Clip } from './render-clip.ts';

const MARGIN = 16;
const PADDING = 4;
const PROMPT_LINES = 5;
const PROGRESS_BAR = 8;
const WHITE = 235;
const PLATE = 40;
const DISC = { luma: 210, cb: 60, cr: 170 };

/** What a clip begins and ends with, in place of the gradient. */
export interface Frames {
  readonly first?: SmallPicture;
  readonly last?: SmallPicture;
}

/**
 * The pictures of a clip: its prompt, a caption and its inputs on a gradient or on the first frame, a disc that moves, and
 * a bar that shows the time passed. All but the last two stand still, which is what keeps the file small. Where there is a
 * last frame, one block after the other changes to it, because a block that changes is stored whole.
 */
export class Scene {
  readonly #clip: Clip;
  readonly #frames: number;
  readonly #still: Picture;
  readonly #end: Picture | undefined;
  readonly #picture: Picture;
  /** The blocks in the order in which they change. */
  readonly #order: Uint32Array;
  #changed = 0;

  constructor(clip: Clip, frames: number, { first, last }: Frames = {}) {
    this.#clip = clip;
    this.#frames = frames;
    this.#still = stillOf(clip, first);
    this.#end = last && stillOf(clip, last);
    this.#picture = new Picture(clip.width, clip.height);
    this.#order = shuffled(this.#picture.widthInMacroblocks * this.#picture.heightInMacroblocks);
  }

  /** The picture of a frame, counted from 0, in order; the next call draws into the same one. */
  draw(frame: number): Picture {
    const { width, height } = this.#clip;
    const turn = (2 * Math.PI * frame) / this.#frames;
    const diameter = Math.max(32, Math.round(Math.min(width, height) / 144) * 16);
    const left = (width - diameter) * (0.5 - 0.5 * Math.cos(turn));
    const top = height * (0.62 + 0.14 * Math.sin(2 * turn)) - diameter / 2;
    const passed = Math.round((width * (frame + 1)) / this.#frames);

    this.#dissolve(frame / Math.max(1, this.#frames - 1));
    this.#picture.copyFrom(this.#still);
    drawDisc(this.#picture, toEven(left), toEven(top), diameter, DISC);
    const bar = { x: 0, y: height - PROGRESS_BAR, width: passed, height: PROGRESS_BAR };
    fillRectangle(this.#picture.luma, bar, WHITE);
    return this.#picture;
  }

  /** `part` of the blocks show the end, 1 for all. */
  #dissolve(part: number): void {
    if (this.#end === undefined) return;
    const { widthInMacroblocks } = this.#end;
    for (const due = Math.round(part * this.#order.length); this.#changed < due; this.#changed++) {
      const block = this.#order[this.#changed] ?? 0;
      const [x, y] = [block % widthInMacroblocks, Math.floor(block / widthInMacroblocks)];
      this.#still.copyBlock(this.#end, x, y);
    }
  }
}

function stillOf(clip: Clip, frame: SmallPicture | undefined): Picture {
  const still = new Picture(clip.width, clip.height);
  if (frame === undefined) paintGradient(still, clip.seed);
  else paintPicture(still, frame);
  // Nothing can be read on a photograph.
  const write = frame === undefined ? drawText : writePlate;
  writePrompt(still, clip.prompt, write);
  writeFooter(still, clip, write);
  return still;
}

/** Always the same order, so that equal clips are equal files. */
function shuffled(length: number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i);
  let state = 1;
  for (let at = length - 1; at > 0; at--) {
    // The generator of Numerical Recipes; its upper bits are the random ones.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

/** Varies along x only, so that nearly every block repeats the row above it. The hue comes from the seed. */
function paintGradient({ luma, cb, cr }: Picture, seed: number): void {
  const hue = ((((seed % 360) * 37) % 360) * Math.PI) / 180;
  fillColumns(luma, (x) => 60 + Math.floor(90 * x));
  fillColumns(cb, (x) => Math.round(128 + 40 * Math.cos(hue + x)));
  fillColumns(cr, (x) => Math.round(128 + 40 * Math.sin(hue + x)));
}

/** `valueAt` takes a column's place from 0, the left edge, to 1. */
function fillColumns({ samples, stride }: Plane, valueAt: (x: number) => number): void {
  const row = Uint8Array.from({ length: stride }, (_, x) => valueAt(x / stride));
  for (let at = 0; at < samples.length; at += stride) samples.set(row, at);
}

/** Covers all of it, as a photograph covers a page: what is too wide or too high is cut off. */
function paintPicture({ width, height, luma, cb, cr }: Picture, frame: SmallPicture): void {
  const colours = coloursOf(frame, height);
  const scale = Math.max(width / frame.width, height / frame.height);
  const left = (frame.width - width / scale) / 2;
  const top = (frame.height - height / scale) / 2;
  for (const [plane, samples, size] of [
    [luma, colours.luma, 1],
    [cb, colours.cb, 2],
    [cr, colours.cr, 2],
  ] as const) {
    for (let at = 0; at < plane.samples.length; at++) {
      const x = left + (((at % plane.stride) + 0.5) * size) / scale - 0.5;
      const y = top + ((Math.floor(at / plane.stride) + 0.5) * size) / scale - 0.5;
      plane.samples[at] = Math.round(between(samples, frame, x, y));
    }
  }
}

/** The weights of red and blue in what decoders expect of such a height (ITU-R BT.709 and BT.601). */
function coloursOf({ width, height, data }: SmallPicture, shownHeight: number) {
  const [ofRed, ofBlue] = shownHeight >= 720 ? [0.2126, 0.0722] : [0.299, 0.114];
  const colours = {
    luma: new Float32Array(width * height),
    cb: new Float32Array(width * height),
    cr: new Float32Array(width * height),
  };
  for (let at = 0; at < width * height; at++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
    const light = ofRed * red + (1 - ofRed - ofBlue) * green + ofBlue * blue;
    colours.luma[at] = 16 + (219 * light) / 255;
    colours.cb[at] = 128 + (112 * (blue - light)) / (1 - ofBlue) / 255;
    colours.cr[at] = 128 + (112 * (red - light)) / (1 - ofRed) / 255;
  }
  return colours;
}

/** Of the four samples around a place, each by its nearness. */
function between(samples: Float32Array, { width, height }: SmallPicture, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const sample = (column: number, row: number) => {
    const [inside, within] = [clamp(column, width), clamp(row, height)];
    return samples[within * width + inside] ?? 0;
  };
  const upper = sample(left, top) * (left + 1 - x) + sample(left + 1, top) * (x - left);
  const lower = sample(left, top + 1) * (left + 1 - x) + sample(left + 1, top + 1) * (x - left);
  return upper * (top + 1 - y) + lower * (y - top);
}

const clamp = (at: number, length: number) => Math.min(Math.max(at, 0), length - 1);

function writePrompt(picture: Picture, prompt: string, write: typeof drawText): void {
  const scale = textScale(picture);
  const lines = wrapWords(toGlyphs(prompt), columns(picture, scale), PROMPT_LINES);
  for (const [i, line] of lines.entries()) {
    write(picture, line, MARGIN, MARGIN + i * lineHeight(scale), scale, WHITE);
  }
}

/** From the bottom up: the progress bar's place, the caption, a plate for each input. */
function writeFooter(picture: Picture, clip: Clip, write: typeof drawText): void {
  const { model, width, height, durationSeconds, seed, plates } = clip;
  const caption = `SANDBOX · ${model} · ${width}x${height} · ${durationSeconds}s · seed ${seed}`;
  const { text, scale } = fitLine(picture, caption);
  let y = height - PROGRESS_BAR - lineHeight(scale);
  write(picture, text, MARGIN, y, scale, WHITE);
  for (const plate of plates) {
    const label = fitLine(picture, plate);
    y -= GLYPH_HEIGHT * label.scale + 3 * PADDING;
    writePlate(picture, label.text, MARGIN, y, label.scale, WHITE);
  }
}

const writePlate: typeof drawText = (picture, text, x, y, scale, luma) => {
  const area = {
    x: x - PADDING,
    y: y - PADDING,
    width: text.length * GLYPH_ADVANCE * scale + 2 * PADDING,
    height: GLYPH_HEIGHT * scale + 2 * PADDING,
  };
  fillRectangle(picture.luma, area, PLATE);
  drawText(picture, text, x, y, scale, luma);
};

/** One line at the largest scale at which it fits; at the smallest it loses its end instead. */
function fitLine(picture: Picture, line: string): { text: string; scale: number } {
  const text = toGlyphs(line);
  let scale = textScale(picture) - 1;
  while (scale > 1 && text.length > columns(picture, scale)) scale--;
  return { text: wrapWords(text, columns(picture, scale), 1)[0] ?? '', scale };
}

/** Gives about 35 characters a line in any shape of picture. */
function textScale({ width, height }: Picture): number {
  return Math.max(2, Math.round(Math.min(width, (height * 16) / 9) / 213));
}

function columns({ width }: Picture, scale: number): number {
  return Math.floor((width - 2 * MARGIN) / (GLYPH_ADVANCE * scale));
}

function lineHeight(scale: number): number {
  return (GLYPH_HEIGHT + 2) * scale;
}

/** Chroma has half the resolution, so only even places keep it aligned. */
function toEven(value: number): number {
  return 2 * Math.round(value / 2);
}

/**
 * Breaks text between words into at most `maxLines` lines of at most `columns` characters. Longer words are
 * cut; where text is left out, the last line ends in dots.
 */
export function wrapWords(text: string, columns: number, maxLines: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap((word) => cut(word, columns))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else if (lines.length < maxLines) lines.push(word);
    else return [...lines.slice(0, -1), withDots(last ?? '', columns)];
  }
  return lines;
}

function cut(word: string, columns: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < word.length; at += columns) pieces.push(word.slice(at, at + columns));
  return pieces;
}

function withDots(line: string, columns: number): string {
  return `${line.slice(0, Math.max(0, columns - 3))}...`.slice(0, columns);
}
