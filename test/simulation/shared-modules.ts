import type { Metafile } from 'esbuild';

const MARK = 'OF_MACHINE';

/** What differs between machines, or belongs to one alone: the time, chance, waiting, the environment, the way out. */
const GLOBALS_OF_MACHINE = [
  ...['process', 'performance', 'crypto', 'console', 'global', 'globalThis', 'AbortSignal', 'fetch'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'Date.now', 'Math.random'],
];

/** What writes a mark where a module asks its machine, and not where a parameter or a field is called the same. */
export const MARKS = Object.fromEntries(GLOBALS_OF_MACHINE.map((name) => [name, MARK]));

/** What else asks the machine. */
const ASKS_MACHINE = new RegExp(`\\b${MARK}\\b|\\bnew Date\\(\\)|node:(timers|crypto)`);

/** Of `node:crypto`, what depends on its parameters alone. */
const SUMS = /^import \{ (?:(?:createHash|createHmac|timingSafeEqual)(?:, )?)+ \} from "node:crypto";$/m;

/** A module that keeps something: `let`, or what begins empty. A list of blocked addresses is filled where it is made. */
const KEEPS =
  /^(export )?(let|var) |^(export )?const [^=]+= (?:\/\* @__PURE__ \*\/ )?new (?!BlockList)\w+\(\)/m;

/**
 * The modules that are the same for all machines: rules, which are handed what differs. They are loaded once; all
 * others, and whoever imports one of those, each machine has for itself, with what they keep.
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
  return ASKS_MACHINE.test(code.replace(SUMS, '')) || KEEPS.test(code);
}

/** Libraries that keep nothing of ours, and are on the way to many modules. */
const PURE = ['valibot', 'leven'];
const isData = (path: string) =>
  path.endsWith('.json') || PURE.some((name) => path.startsWith(`node_modules/${name}/`));
