import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['functions', 'lib', 'bin', 'local', 'console'];
const IMPORT = /^(?:import|export) (?:([^'";]*?) from )?'([^']+)'|\bimport\('([^']+)'\)/gm;

interface Import {
  /** The path of a module of ours, or the name of a package. */
  readonly from: string;
  readonly names: readonly string[];
}

const files = globSync(`{${FOLDERS}}/**/*.{ts,tsx}`, { cwd: ROOT });
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const modules: ReadonlyMap<string, readonly Import[]> = new Map(files.map((file) => [file, importsOf(file)]));

/** Without imports of types alone, which nobody loads. */
function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(IMPORT)].flatMap(([, clause = '', fixed, late]) => {
    const specifier = fixed ?? late ?? '';
    const names = valuesIn(clause);
    if (clause !== '' && names.length === 0) return [];
    return { from: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier, names };
  });
}

/** `{ a, type B, c as d }` imports the values `a` and `c`. */
function valuesIn(clause: string): string[] {
  if (clause.startsWith('type ')) return [];
  const names = clause.split(/[{},]/).map((name) => name.trim().replace(/ as .*/s, ''));
  return names.filter((name) => name !== '' && !name.startsWith('type '));
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Who imports whom, where `partOf` says what a file belongs to; undefined for files that do not matter. */
function graphOf(partOf: (file: string) => string | undefined): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [file, imports] of modules) {
    const part = partOf(file);
    if (part === undefined) continue;
    const imported = graph.get(part) ?? new Set();
    graph.set(part, imported);
    for (const { from } of imports) {
      const other = modules.has(from) ? partOf(from) : undefined;
      if (other !== undefined && other !== part) imported.add(other);
    }
  }
  return graph;
}

/** Every node that these reach through imports. A node of a circle reaches itself. */
function reachable(from: Iterable<string>, graph: Graph): Set<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (!found.has(next)) open.push(next);
      found.add(next);
    }
  }
  return found;
}

const circleIn = (graph: Graph): string[] =>
  [...graph.keys()].filter((node) => reachable([node], graph).has(node)).sort();

/** What a folder consists of: the folders in it, and its own files as one. */
const partsOf = (folder: string) => (file: string) => {
  if (!file.startsWith(folder)) return undefined;
  const [first, ...below] = file.slice(folder.length).split('/');
  return below.length === 0 ? 'its own files' : first;
};

const foldersAbove = (file: string): string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, index, path) => `${path.slice(0, index + 1).join('/')}/`);

describe('no circle of imports', () => {
  const folders = [...new Set(['', ...files.flatMap(foldersAbove)])];

  it('is found where none is', () => {
    const line = new Map([
      ['a', new Set(['b'])],
      ['b', new Set<string>()],
    ]);
    expect(circleIn(line)).toEqual([]);
    expect(circleIn(new Map([...line, ['b', new Set(['a'])]]))).toEqual(['a', 'b']);
  });

  it('goes through the folders of a folder and its own files, at any level', () => {
    const circles = folders.map((folder) => [folder, circleIn(graphOf(partsOf(folder)))]);
    expect(circles.filter(([, parts]) => parts?.length !== 0)).toEqual([]);
  });

  it('goes through files', () => {
    expect(circleIn(graphOf((file) => file))).toEqual([]);
  });
});

describe('the areas of functions/', () => {
  const areas = graphOf(partsOf('functions/'));

  it('are found with what they import', () => {
    expect(areas.get('endpoints')).toContain('gate');
    expect(areas.get('gate')).toContain('keys');
  });

  it.each([
    ['endpoints', ['openapi']],
    ['deployed', ['endpoints']],
    ['gate', ['deployed', 'endpoints']],
  ])('%s is imported by %j alone', (area, by) => {
    const importers = [...areas].filter(([, imported]) => imported.has(area)).map(([name]) => name);
    expect(importers.sort()).toEqual(by);
  });

  it('http imports no other area', () => {
    expect([...(areas.get('http') ?? [])].filter((area) => area !== 'its own files')).toEqual([]);
  });
});

describe('lib/', () => {
  const ofLib = files.filter((file) => file.startsWith('lib/'));
  const everything = graphOf((file) => file);
  const loaded = [...reachable(ofLib, everything)].filter((file) => file.startsWith('functions/'));

  it('reads the definitions of endpoints', () => {
    expect(loaded).toContain('functions/endpoints/definitions.ts');
  });

  it('loads no code of functions/ that calls anybody', () => {
    const imported = loaded.flatMap((file) => modules.get(file) ?? []).map(({ from }) => from);
    const packages = imported.filter((from) => !from.startsWith('functions/'));
    const pure = [
      '@smithy/core/protocols',
      '@valibot/to-json-schema',
      'leven',
      'node:crypto',
      // What blocks of addresses are, which a schema checks.
      'node:net',
      'node:util',
      'node:zlib',
      'valibot',
      'yaml',
    ];
    expect([...new Set(packages)].sort()).toEqual(pure);
  });

  it('loads no handler, no adapter, and nothing between them', () => {
    const between = /^functions\/(aws|deployed|egress|gate|upstream|videos\/worker)\//;
    const acts = /^export const (?:handler\b|\w+: (?:VideoProvider|FileProvider)\b)/m;
    expect(loaded.filter((file) => between.test(file) || acts.test(textOf(file)))).toEqual([]);
  });

  it('imports neither classes from functions/ nor what takes time', () => {
    const imports = ofLib.flatMap((file) => modules.get(file) ?? []);
    const acting = imports
      .filter(({ from }) => from.startsWith('functions/'))
      .flatMap(({ from, names }) => names.filter((name) => declares(textOf(from), name)));
    expect(acting).toEqual([]);
  });
});

const declares = (text: string, name: string): boolean =>
  new RegExp(
    `^export (?:(?:abstract )?class|async function\\*?) ${name}\\b|^export const ${name} = async\\b`,
    'm',
  ).test(text);
