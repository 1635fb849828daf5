import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { marked } from 'marked';
import { openApiJson, openApiYaml } from '../../functions/openapi/text.ts';
import { replaceFile } from '../bundling/bundle.ts';
import { ROOT } from '../bundling/folders.ts';
import { reference } from './reference.ts';

const HERE = import.meta.dirname;
const GUIDES = join(ROOT, 'docs/guides');

const own = (name: string): string => readFileSync(join(HERE, name), 'utf8');

/** Writes the description of the API beside the programs that serve it, so that they generate nothing at run time. */
export function writeDescription(bundles: string): void {
  const write = (name: string, file: string, content: string | Uint8Array) =>
    replaceFile(join(bundles, name, file), Buffer.from(content));
  write('get-openapi-json', 'openapi.json', openApiJson());
  write('get-openapi-yaml', 'openapi.yaml', openApiYaml());
  write('get-docs', 'docs.html', referencePage());
  const assets = pageAssets();
  for (const [file, content] of Object.entries(assets)) {
    write('get-docs-asset', `${file}.gz`, gzipSync(content, { level: 9 }));
  }
  write('get-docs-asset', 'assets.json', JSON.stringify(Object.keys(assets)));
}

function pageAssets(): Record<string, string> {
  const ours = ['docs.css', 'docs.js'].map((name) => [name, own(name)]);
  return Object.fromEntries([...ours, ...guides().map(({ file, page }) => [file, page()])]);
}

/** The whole reference is made here: a browser only looks through it. */
export function referencePage(): string {
  const titles = new Map(guides().map(({ file, title }) => [file, title]));
  const { navigation, content } = reference(titles);
  // Functions, because a text may contain what `replace` takes for a pattern.
  return own('docs.html')
    .replace('<!-- guides -->', () => links('docs/'))
    .replace('<!-- navigation -->', () => navigation)
    .replace('<!-- content -->', () => content);
}

/** Each of `docs/guides/*.md` is a page; its heading is its title. */
function guides() {
  return globSync('*.md', { cwd: GUIDES })
    .sort()
    .map((source) => {
      const text = readFileSync(join(GUIDES, source), 'utf8');
      const title = /^# (.+)$/m.exec(text)?.[1] ?? source;
      const file = `${basename(source, '.md').replace(/^\d+-/, '')}.html`;
      return { file, title, page: () => guidePage(title, text) };
    });
}

const links = (folder: string): string =>
  guides()
    .map(({ file, title }) => `<a href="${folder}${file}">${title}</a>`)
    .join('\n      ');

/** Links between guides become links between pages; links to other files of the repository become plain text. */
function guidePage(title: string, text: string): string {
  const linked = text
    .replaceAll(/\]\((?:\d+-)?([\w-]+)\.md(#[\w-]+)?\)/g, ']($1.html$2)')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1');
  return own('guide.html')
    .replace('<!-- title -->', title)
    .replace('<!-- guides -->', links(''))
    .replace('<!-- guide -->', marked.parse(linked, { async: false }));
}
