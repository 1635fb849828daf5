import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
/** Not those of types, which Node.js removes. */
const IMPORT = /^(?:import (?!type\b)|export )[^;]*?\bfrom '(\.[^']+)'/gm;

/** The folders of `functions/`, and for each the folders that it imports. */
function importsOfAreas(): Map<string, Set<string>> {
  const areas = new Map<string, Set<string>>();
  for (const file of globSync('functions/*/**/*.ts', { cwd: ROOT })) {
    const area = areaOf(file);
    const imported = areas.get(area) ?? new Set();
    areas.set(area, imported);
    for (const [, specifier = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const target = relative(ROOT, join(ROOT, dirname(file), specifier));
      if (target.split('/').length > 2) imported.add(areaOf(target));
    }
    imported.delete(area);
  }
  return areas;
}

const areaOf = (file: string): string => file.split('/')[1] ?? '';

/** Every area that this one reaches through imports. The area itself is among them if it is part of a circle. */
function reachable(from: string, areas: Map<string, Set<string>>): Set<string> {
  const found = new Set<string>();
  const open = [from];
  for (let area = open.pop(); area !== undefined; area = open.pop()) {
    for (const next of areas.get(area) ?? []) {
      if (!found.has(next)) open.push(next);
      found.add(next);
    }
  }
  return found;
}

describe('the areas of functions/', () => {
  const areas = importsOfAreas();

  it('are found with what they import', () => {
    expect(areas.get('endpoints')).toContain('gate');
    expect(areas.get('gate')).toContain('keys');
  });

  it.each([...areas.keys()])('%s is not part of a circle of imports', (area) => {
    expect([...reachable(area, areas)]).not.toContain(area);
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
    expect([...(areas.get('http') ?? [])]).toEqual([]);
  });
});
