import { readFileSync, statSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = `${pathToFileURL(resolve(import.meta.dirname, '../..')).href}/`;
const isOwn = (url) =>
  url.startsWith(ROOT) &&
  /\.(m?[jt]s|json)$/.test(url) &&
  !url.includes('/node_modules/') &&
  url !== import.meta.url;

/** The run whose test file is being loaded. */
let run = { number: 0 };

/**
 * Imports a test file. Each run loads this repository's modules again, like a new process. Packages are loaded once for
 * all runs.
 * @param path of the test file
 * @param asked.globalsFor returns the exports of `@jest/globals` for the module at a path
 * @param asked.mockOf returns the mock for the module at a URL, if it has one
 * @param asked.isMeasured whether coverage is measured, so that the modules' URLs must be unique to the run
 * @returns how the URLs of the run's modules end
 */
export async function importTest(path, asked) {
  const number = run.number + 1;
  run = { ...asked, number };
  await import(`${pathToFileURL(path).href}?run=${number}`);
  return `?run=${number}`;
}

/** The generated modules below call these two functions. */
export const globalsFor = (url) => run.globalsFor(fileURLToPath(url));
export const mockOf = (url) => run.mockOf(url);

registerHooks({
  resolve(specifier, context, next) {
    const [importer, number] = context.parentURL?.split('?run=') ?? [];
    if (specifier === '@jest/globals' && number !== undefined)
      return made(`globals:${importer}?run=${number}`);
    const resolved = resolvedOnce([specifier, importer, ...context.conditions].join(' '), () =>
      next(specifier, context),
    );
    if (number === undefined) return resolved;
    if (run.mockOf(resolved.url) !== undefined) return made(`mock:${resolved.url}?run=${number}`);
    return isOwn(resolved.url) ? { ...resolved, url: `${resolved.url}?run=${number}` } : resolved;
  },
  load(url, context, next) {
    const [address, number] = url.split('?run=');
    if (number === undefined) return next(url, context);
    const [, kind, of] = /^(globals|mock):(.+)$/.exec(address) ?? [];
    if (kind === 'globals') return program(exporting(`globalsFor('${of}')`, globalsFor(of)));
    if (kind === 'mock') return program(exporting(`mockOf('${of}')`, mockOf(of)));
    return address.endsWith('ts') ? program(withoutTypes(address)) : next(url, context);
  },
});

const resolvedFrom = new Map();

/** Node.js would look on disk again for each run, whose addresses it does not know. */
function resolvedOnce(key, resolve) {
  if (!resolvedFrom.has(key)) resolvedFrom.set(key, { ...resolve(), shortCircuit: true });
  return resolvedFrom.get(key);
}

const made = (url) => ({ url, format: 'module', shortCircuit: true });
const program = (source) => ({ source, format: 'module', shortCircuit: true });

/** The text of a module that exports the properties of an expression. */
function exporting(expression, value) {
  const names = Object.keys(value);
  const locals = names.map((name, at) => `${JSON.stringify(name)}: $${at}`);
  const exports = names.map((name, at) => `$${at} as ${JSON.stringify(name)}`);
  return `import { globalsFor, mockOf } from '${import.meta.url}';
    const { ${locals} } = ${expression};
    export { ${exports} };`;
}

const programs = new Map();

/** A file's text without its types. It is read again only when the file has changed. */
function withoutTypes(url) {
  const path = fileURLToPath(url);
  const { mtimeMs, size } = statSync(path);
  const known = programs.get(path);
  const isKnown = known?.mtimeMs === mtimeMs && known.size === size;
  const text = isKnown ? known.text : stripTypeScriptTypes(readFileSync(path, 'utf8'));
  if (!isKnown) programs.set(path, { mtimeMs, size, text });
  // Stack traces then show the file's real path.
  return run.isMeasured ? text : `${text}\n//# sourceURL=${path}`;
}
