/** Elements and their content: text or other elements. A list repeats the element. */
export interface Elements {
  readonly [name: string]: string | number | boolean | Elements | readonly Elements[];
}

export const xmlDocument = (elements: Elements): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${xml(elements)}`;

const xml = (elements: Elements): string =>
  Object.entries(elements)
    .flatMap(([name, content]) => [content].flat().map((each) => `<${name}>${inner(each)}</${name}>`))
    .join('');

const inner = (content: string | number | boolean | Elements): string =>
  typeof content === 'object' ? xml(content) : escapeXml(String(content));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
const unescapeXml = (text: string) =>
  Object.entries(ESCAPES).reduceRight(
    (rest, [character, escaped]) => rest.replaceAll(escaped, character),
    text,
  );

/** The texts of all elements of this name. */
export function textsOf(document: string, name: string): string[] {
  const found = document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...found].map(([, text = '']) => unescapeXml(text));
}
