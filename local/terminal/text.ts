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

/** Control characters of both ranges, line and paragraph separators, and characters that change the direction of text. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Makes outside text safe for one line of a terminal. Such characters could clear the screen, write lines of their own or
 * send keys. They appear as `\u001b`, which keeps its meaning inside JSON.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for text with several lines. Each line after the first begins with `indent`. */
export function visibleLines(text: string, indent = ''): string {
  return text.split(/\r?\n/).map(visible).join(`\n${indent}`);
}

/** A line that is there to be pasted must take a name with spaces as one word. */
export const shellWord = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
