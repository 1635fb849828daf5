import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

interface ColourStream {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

/** Adds a format to a text, or returns it unchanged. */
export type Style = (format: Format, text: string) => string;

export const plain: Style = (_format, text) => text;
export const coloured: Style = (format, text) => styleText(format, text, { validateStream: false });

/** Uses colours on a terminal that supports them, unless NO_COLOR is set. */
export function styleFor(stream: ColourStream): Style {
  return stream.isTTY && stream.hasColors?.() ? coloured : plain;
}
