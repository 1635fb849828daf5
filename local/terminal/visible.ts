/** Control characters of both ranges, line and paragraph separators, and what turns the direction of text around. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Text from outside for one line of a terminal, where such characters could clear what stands there, write lines
 * of their own or send keys. They are shown as `\u001b`, which says the same where the text is JSON.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for text that may have lines, each of which begins with `indent` from the second on. */
export function visibleLines(text: string, indent = ''): string {
  return text.split(/\r?\n/).map(visible).join(`\n${indent}`);
}
