import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: ROOT });
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Code in backticks that begins with one of our folders: `lib/edge/`, `functions/<area>/`, `bin/*.ts`. */
const PATH = /`((?:bench|bin|console|docs|functions|lib|local|test|\.github)\/[\w./<>{},*-]*)`/g;
/** A source file without its folder, such as one beside a file that was named before. */
const NAME = /`([\w.-]+\.tsx?)`/g;
const NAMES = new Set(
  globSync('{bench,bin,console,functions,lib,local,test}/**/*.{ts,tsx}', { cwd: ROOT }).map((path) =>
    basename(path),
  ),
);
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const HEADING = /^#+ (.+)$/gm;

/** `<area>` in a path stands for any name. */
const glob = (path: string): string => path.replaceAll(/<[\w-]+>/g, '*');

/** The anchors that GitHub creates for the headings of a page. */
const anchors = (page: string): string[] =>
  [...read(page).matchAll(HEADING)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

function missingLinks(page: string): string[] {
  return [...read(page).matchAll(LINK)].flatMap(([link, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [link];
    return anchor === undefined || anchors(target).includes(anchor) ? [] : [link];
  });
}

test('the pages are found', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/local.md', 'docs/decisions/README.md']));
});

describe.each(pages)('%s', (page) => {
  test('names no path that does not exist', () => {
    const paths = [...read(page).matchAll(PATH)].map(([, path = '']) => path);
    expect(paths.filter((path) => globSync(glob(path), { cwd: ROOT }).length === 0)).toEqual([]);
  });

  test('names no source file that does not exist', () => {
    const names = [...read(page).matchAll(NAME)].map(([, name = '']) => name);
    expect(names.filter((name) => !NAMES.has(name))).toEqual([]);
  });

  test('leads to pages and headings that exist', () => {
    expect(missingLinks(page)).toEqual([]);
  });
});
