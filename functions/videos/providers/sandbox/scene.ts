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

/**
 * The pictures of a clip: its prompt, a caption and its inputs on a gradient, a disc that moves, and a bar
 * that shows the time passed. All but the last two stand still, which is what keeps the file small.
 */
export class Scene {
  readonly #clip: Clip;
  readonly #frames: number;
  readonly #still: Picture;
  readonly #picture: Picture;

  constructor(clip: Clip, frames: number) {
    this.#clip = clip;
    this.#frames = frames;
    this.#still = new Picture(clip.width, clip.height);
    this.#picture = new Picture(clip.width, clip.height);
    paintGradient(this.#still, clip.seed);
    writePrompt(this.#still, clip.prompt);
    writeFooter(this.#still, clip);
  }

  /** The picture of a frame, counted from 0; the next call draws into the same one. */
  draw(frame: number): Picture {
    const { width, height } = this.#clip;
    const turn = (2 * Math.PI * frame) / this.#frames;
    const diameter = Math.max(32, Math.round(Math.min(width, height) / 144) * 16);
    const left = (width - diameter) * (0.5 - 0.5 * Math.cos(turn));
    const top = height * (0.62 + 0.14 * Math.sin(2 * turn)) - diameter / 2;
    const passed = Math.round((width * (frame + 1)) / this.#frames);

    this.#picture.copyFrom(this.#still);
    drawDisc(this.#picture, toEven(left), toEven(top), diameter, DISC);
    const bar = { x: 0, y: height - PROGRESS_BAR, width: passed, height: PROGRESS_BAR };
    fillRectangle(this.#picture.luma, bar, WHITE);
    return this.#picture;
  }
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

function writePrompt(picture: Picture, prompt: string): void {
  const scale = textScale(picture);
  const lines = wrapWords(toGlyphs(prompt), columns(picture, scale), PROMPT_LINES);
  for (const [i, line] of lines.entries()) {
    drawText(picture, line, MARGIN, MARGIN + i * lineHeight(scale), scale, WHITE);
  }
}

/** From the bottom up: the progress bar's place, the caption, a plate for each input. */
function writeFooter(picture: Picture, clip: Clip): void {
  const { model, width, height, durationSeconds, seed, plates } = clip;
  const caption = `SANDBOX · ${model} · ${width}x${height} · ${durationSeconds}s · seed ${seed}`;
  const { text, scale } = fitLine(picture, caption);
  let y = height - PROGRESS_BAR - lineHeight(scale);
  drawText(picture, text, MARGIN, y, scale, WHITE);
  for (const plate of plates) {
    const label = fitLine(picture, plate);
    y -= GLYPH_HEIGHT * label.scale + 3 * PADDING;
    writePlate(picture, label.text, label.scale, y);
  }
}

function writePlate(picture: Picture, text: string, scale: number, y: number): void {
  const area = {
    x: MARGIN - PADDING,
    y: y - PADDING,
    width: text.length * GLYPH_ADVANCE * scale + 2 * PADDING,
    height: GLYPH_HEIGHT * scale + 2 * PADDING,
  };
  fillRectangle(picture.luma, area, PLATE);
  drawText(picture, text, MARGIN, y, scale, WHITE);
}

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
