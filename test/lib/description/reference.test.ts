import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { operations, routes } from '../../../functions/endpoints/definitions.ts';
import { readDescription } from '../../../lib/description/described.ts';
import { GUIDES_OF } from '../../../lib/description/reference.ts';
import { samplesOf } from '../../../lib/description/samples.ts';
import { referencePage } from '../../../lib/description/write-description.ts';

// New processes start slowly while many tests run.
/** What a browser loads before it shows anything. */
const MOST_BYTES = 80_000;

const page = referencePage();
const described = readDescription().operations;
const codeIn = (language: string) =>
  described.map((each) => samplesOf(each).find((sample) => sample.language === language)?.code ?? '');

test('has a section for every operation, in the navigation too', () => {
  expect(described).toHaveLength(Object.keys(routes).length);
  for (const { operationId } of described) {
    expect(page).toContain(`<section class="operation" id="${operationId}">`);
    expect(page).toContain(`<a href="#${operationId}" data-text=`);
  }
  for (const { summary } of Object.values(operations())) expect(page).toContain(summary.split('“')[0]);
});

test('leads only to what is there', () => {
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  expect(targets.filter((id) => !ids.has(id!))).toEqual([]);
});

test('leads from a group of operations to its guides, by their titles', () => {
  const groups = [...page.matchAll(/<h2 id="[^"]+">([^<]+)<\/h2>/g)].map(([, name]) => name);
  expect(groups).toEqual(expect.arrayContaining(Object.keys(GUIDES_OF)));
  expect(page).toMatch(
    /<h2 id="webhooks">Webhooks<\/h2><p>[^<]+<\/p><p>Guides: <a href="docs\/webhooks.html">Webhooks</,
  );
  expect(page).not.toContain('undefined</a>');
});

test('has no script or style in itself, and asks no other host', () => {
  expect(page).not.toMatch(/<style|<script(?! defer src="docs\/docs\.js"><\/script>)| style=| on\w+=/);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('is small', () => {
  expect(gzipSync(page).length).toBeLessThan(MOST_BYTES);
});

test('every sample in Python is Python', () => {
  const parse = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)';
  execFileSync('python3', ['-c', parse], { input: JSON.stringify(codeIn('Python')) });
});

test('every sample in TypeScript is TypeScript', () => {
  for (const code of codeIn('TypeScript')) expect(stripTypeScriptTypes(code)).toContain('await fetch(');
});

test('every sample with curl is a command, and sends the JSON of the example', () => {
  // In place of curl, so that the shell takes each command apart.
  const script = `curl() { printf '%s\\n' "$@"; }\n${codeIn('curl').join('\n')}`;
  const words = execFileSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { GENWAY_API_KEY: 'k' },
  });
  const bodies = described.flatMap(({ requestBody }) => {
    const json = requestBody?.content['application/json'];
    return json === undefined ? [] : [json.example ?? {}];
  });
  for (const body of bodies) expect(words).toContain(JSON.stringify(body, undefined, 2));
});
