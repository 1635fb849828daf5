/** `form-data; name="file"; filename*=UTF-8''x`, taken apart: names in lower case, values without quotes. */
export interface HeaderValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const NAME = /;\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*/iy;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"\s*/y;
/** A quoted value may hold anything, a bare one anything but a semicolon: boundaries have `:`, `=` and `/` in them. */
const BARE = /[^;"]*/y;

/**
 * Undefined where it is malformed, or names a parameter twice. Some clients end it with a semicolon.
 *
 * A piece is read at a time, each by an expression that is tried at one place: in a single expression for the
 * whole, blanks that several of its parts could take are tried in every division among them.
 */
export function parseHeaderValue(header: string): HeaderValue | undefined {
  const text = header.trimEnd();
  const end = text.endsWith(';') ? text.length - 1 : text.length;
  const [value = ''] = text.split(';', 1);
  const parameters = new Map<string, string>();
  let at = value.length;
  while (at < end) {
    const name = matchAt(NAME, text, at);
    const start = at + (name?.[0].length ?? 0);
    const quoted = matchAt(QUOTED, text, start);
    const found = quoted ?? matchAt(BARE, text, start);
    const key = name?.[1]?.toLowerCase();
    if (key === undefined || found === null || parameters.has(key)) return undefined;
    parameters.set(key, quoted === null ? found[0].trim() : unescaped(found[1] ?? ''));
    at = start + found[0].length;
  }
  return { value: value.trim().toLowerCase(), parameters };
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** A backslash quotes a quote or itself; before anything else it is one, as in a path of Windows. */
const unescaped = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1');
