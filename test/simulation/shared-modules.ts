import type { Metafile } from 'esbuild';

/** Names of what differs between machines: time, random numbers, timers, environment, network. */
const OF_MACHINE =
  /\b(process|performance|crypto|console|global|globalThis|AbortSignal|setTimeout|clearTimeout|setInterval|setImmediate|fetch)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|node:timers/;

/**
 * Matches a module with state: `let`, or a collection that starts empty. A `BlockList` is filled where it is created,
 * so it is no state.
 */
const KEEPS = /^(export )?(let|var) |^(export )?const [^=]+= new (?!BlockList)\w+(<[^;]*>)?\(\)/m;

/**
 * The modules that all machines can share: rules that get everything else as arguments. They are loaded once. All other
 * modules, and all modules that import those, exist once for each machine.
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

/** Libraries without state of ours. Many modules import them. */
const PURE = ['valibot', 'leven'];
const isData = (path: string) =>
  path.endsWith('.json') || PURE.some((name) => path.startsWith(`node_modules/${name}/`));
