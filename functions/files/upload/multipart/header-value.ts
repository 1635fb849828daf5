/** `form-data; name="file"; filename*=UTF-8''x`, taken apart: names in lower case, values without quotes. */
export interface HeaderValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A quoted value may hold anything, a bare one anything but a semicolon: boundaries have `:`, `=` and `/` in them. */
const PARAMETER = /;\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^;"]*))\s*/giy;

/** Undefined where it is malformed, or names a parameter twice. Some clients end it with a semicolon. */
export function parseHeaderValue(header: string): HeaderValue | undefined {
  const text = header.replace(/;?\s*$/, '');
  const [value = ''] = text.split(';', 1);
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = value.length;
  while (PARAMETER.lastIndex < text.length) {
    const match = PARAMETER.exec(text);
    if (match === null) {
      PARAMETER.lastIndex = 0;
      return undefined;
    }
    const [, name = '', quoted, bare = ''] = match;
    const lowerCased = name.toLowerCase();
    if (parameters.has(lowerCased)) return undefined;
    parameters.set(lowerCased, quoted === undefined ? bare.trim() : unescaped(quoted));
  }
  return { value: value.trim().toLowerCase(), parameters };
}

/** A backslash quotes a quote or itself; before anything else it is one, as in a path of Windows. */
const unescaped = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1');
