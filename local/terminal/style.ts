import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

interface ColourStream {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

/** Gives a text a look, or leaves it plain. */
export type Style = (format: Format, text: string) => string;

export const plain: Style = (_format, text) => text;
export const coloured: Style = (format, text) => styleText(format, text, { validateStream: false });

/** Colours on a terminal that has them, unless NO_COLOR says otherwise. */
export function styleFor(stream: ColourStream): Style {
  return stream.isTTY && stream.hasColors?.() ? coloured : plain;
}
