import type { Metafile } from 'esbuild';

const MARK = 'OF_MACHINE';

/** What differs between machines: time, random numbers, timers, environment, network. */
const GLOBALS_OF_MACHINE = [
  ...['process', 'performance', 'crypto', 'console', 'global', 'globalThis', 'AbortSignal', 'fetch'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'Date.now', 'Math.random'],
];

/** For esbuild's `define`, which replaces these globals, but no parameter, field or type of the same name. */
export const MARKS = Object.fromEntries(GLOBALS_OF_MACHINE.map((name) => [name, MARK]));

/** Matches a module that uses one of these globals, or reaches the same by other means. */
const USES_MACHINE = new RegExp(`\\b${MARK}\\b|\\bnew Date\\(\\)|node:(timers|crypto)`);

/** An import of functions of `node:crypto` that use no random numbers. */
const PURE_CRYPTO =
  /^import \{ (?:(?:createHash|createHmac|timingSafeEqual)(?:, )?)+ \} from "node:crypto";$/m;

/**
 * Matches a module with state: `let`, or a collection that starts empty. A `BlockList` is filled where it is created,
 * so it is no state.
 */
const KEEPS =
  /^(export )?(let|var) |^(export )?const [^=]+= (?:\/\* @__PURE__ \*\/ )?new (?!BlockList)\w+\(\)/m;

/**
 * The modules that all machines can share: rules that get everything else as arguments. They are loaded once. All other
 * modules, and all modules that import those, exist once for each machine.
 */
export function sharedModules(
  { inputs }: Pick<Metafile, 'inputs'>,
  /** A module by itself, as JavaScript with marks. */
  markedCode: (path: string) => string,
  isWayOut: (path: string) => boolean,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), importer]);
  }
  const own = new Set<string>();
  const claim = (path: string): void => {
    if (own.has(path)) return;
    own.add(path);
    for (const importer of importers.get(path) ?? []) claim(importer);
  };
  // `import()` takes time, which differs between a module of the bundle and one beside it.
  for (const { imports } of Object.values(inputs))
    for (const { path, kind } of imports) if (kind === 'dynamic-import') claim(path);
  for (const path of Object.keys(inputs)) if (isWayOut(path) || isOwn(path, markedCode(path))) claim(path);
  return new Set(Object.keys(inputs).filter((path) => !own.has(path)));
}

export const isRule = (path: string): boolean =>
  path.startsWith('functions/') && !path.startsWith('functions/endpoints/');

function isOwn(path: string, code: string): boolean {
  if (!isRule(path)) return !isData(path);
  return USES_MACHINE.test(code.replace(PURE_CRYPTO, '')) || KEEPS.test(code);
}

/** Libraries without state of ours. Many modules import them. */
const PURE = ['valibot', 'leven'];
const isData = (path: string) =>
  path.endsWith('.json') || PURE.some((name) => path.startsWith(`node_modules/${name}/`));
