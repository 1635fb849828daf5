/** Whether printed JSON matches what a page shows. `…` in a text, list or object stands for anything. */
export function looksLike(shown: string, printed: string): boolean {
  return isLike(
    JSON.parse(shown.replaceAll(/, …\s*(?=[}\]])/g, ', "…": "…"').replaceAll(/"…": "…"(?=\])/g, '"…"')),
    JSON.parse(printed),
  );
}

const REST = '…';

function isLike(shown: unknown, actual: unknown): boolean {
  if (typeof shown === 'string') return typeof actual === 'string' && textPattern(shown).test(actual);
  if (Array.isArray(shown)) return Array.isArray(actual) && isListLike(shown, actual);
  if (!isObject(shown)) return shown === actual;
  const { [REST]: rest, ...fields } = shown;
  if (!isObject(actual)) return false;
  const hasAll = Object.entries(fields).every(([name, value]) => isLike(value, actual[name]));
  return hasAll && (rest !== undefined || Object.keys(actual).length === Object.keys(fields).length);
}

function isListLike(shown: unknown[], actual: unknown[]): boolean {
  const isOpen = shown.at(-1) === REST;
  const begin = isOpen ? shown.slice(0, -1) : shown;
  const fits = isOpen ? actual.length >= begin.length : actual.length === begin.length;
  return fits && begin.every((value, index) => isLike(value, actual[index]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textPattern(shown: string): RegExp {
  return new RegExp(`^${shown.split(REST).map(RegExp.escape).join('.*')}$`, 's');
}
