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
