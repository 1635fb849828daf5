import type { Metafile } from 'esbuild';

/** What differs between machines, or belongs to one alone: the time, chance, waiting, the environment, the way out. */
const OF_MACHINE =
  /\b(process|performance|crypto|console|global|globalThis|AbortSignal|setTimeout|clearTimeout|setInterval|setImmediate|fetch)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|node:timers/;

/** A module that keeps something: `let`, or what begins empty. A list of blocked addresses is filled where it is made. */
const KEEPS = /^(export )?(let|var) |^(export )?const [^=]+= new (?!BlockList)\w+(<[^;]*>)?\(\)/m;

/**
 * The modules that are the same for all machines: rules, which are handed what differs. They are loaded once; all
 * others, and whoever imports one of those, each machine has for itself, with what they keep.
 */
export function sharedModules(
  { inputs }: Pick<Metafile, 'inputs'>,
  sourceOf: (path: string) => string,
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
  for (const path of Object.keys(inputs)) if (isWayOut(path) || isOwn(path, sourceOf(path))) claim(path);
  return new Set(Object.keys(inputs).filter((path) => !own.has(path)));
}

function isOwn(path: string, source: string): boolean {
  if (!path.startsWith('functions/') || path.startsWith('functions/endpoints/')) return !isData(path);
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return OF_MACHINE.test(code) || KEEPS.test(code);
}

/** Libraries that keep nothing of ours, and are on the way to many modules. */
const PURE = ['valibot', 'leven'];
const isData = (path: string) =>
  path.endsWith('.json') || PURE.some((name) => path.startsWith(`node_modules/${name}/`));
