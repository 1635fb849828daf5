import type { Described } from './described.ts';

/** In place of the address, which the function that serves the page knows. */
export const ADDRESS = '{{address}}';

export interface Sample {
  readonly language: 'curl' | 'Python' | 'TypeScript';
  readonly code: string;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly isOpen: boolean;
  readonly isForm: boolean;
  readonly json: unknown;
  /** The result is a file. */
  readonly isFile: boolean;
}

/** The same request in three languages. Each runs as it is, with the key in `GENWAY_API_KEY`. */
export function samplesOf(operation: Described): readonly Sample[] {
  const request = requestOf(operation);
  return [
    { language: 'curl', code: curl(request) },
    { language: 'Python', code: python(request) },
    { language: 'TypeScript', code: typescript(request) },
  ];
}

function requestOf({ method, path, security, parameters, requestBody, responses }: Described): Request {
  const { content = {} } = requestBody ?? {};
  const named = parameters.filter(({ required, in: place }) => required && place === 'query');
  const query = named.map(({ name }) => `${name}=…`).join('&');
  const example = content['application/json']?.example;
  const success = Object.entries(responses).find(([status]) => status < '300')?.[1];
  const types = Object.keys(success?.content ?? {});
  return {
    method,
    url: `${ADDRESS}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${name.toUpperCase()}_ID`)}${query && `?${query}`}`,
    isOpen: security.length === 0 || security.every((each) => Object.keys(each).length === 0),
    isForm: content['application/json'] === undefined && content['multipart/form-data'] !== undefined,
    json: content['application/json'] === undefined ? undefined : (example ?? {}),
    isFile: path.endsWith('/content') && types.length > 0,
  };
}

function curl({ method, url, isOpen, isForm, json, isFile }: Request): string {
  const parts = [
    `curl -sS${isFile ? 'L' : ''}${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $GENWAY_API_KEY"']),
    ...(isForm ? ['-F file=@fox.png'] : []),
    ...(json === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${shown(json).replaceAll("'", "'\\''")}'`]),
    ...(isFile ? ['-o result'] : []),
  ];
  return parts.join(' \\\n  ');
}

function python({ method, url, isOpen, isForm, json, isFile }: Request): string {
  const options = [
    `"${method}"`,
    `"${url}"`,
    ...(isOpen ? [] : ['headers={"Authorization": f"Bearer {os.environ[\'GENWAY_API_KEY\']}"}']),
    ...(isForm ? ['files={"file": open("fox.png", "rb")}'] : []),
    ...(json === undefined ? [] : [`json=${indented(pythonValue(json), '    ')}`]),
  ];
  return [
    ...(isOpen ? [] : ['import os']),
    'import requests',
    '',
    `response = requests.request(\n${options.map((each) => `    ${each},`).join('\n')}\n)`,
    'response.raise_for_status()',
    isFile ? 'open("result", "wb").write(response.content)' : 'print(response.json())',
  ].join('\n');
}

const shown = (json: unknown): string => JSON.stringify(json, undefined, 2);

const indented = (code: string, by: string): string => code.replaceAll('\n', `\n${by}`);

const WORDS = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
]);

/** JSON is Python but for three words, which no text of an example is. */
const pythonValue = (value: unknown): string =>
  shown(value).replaceAll(
    /(?<=[:[,] |^|\n *)(true|false|null)(?=,?\n|$)/g,
    (word) => WORDS.get(word) ?? word,
  );

function typescript({ method, url, isOpen, isForm, json, isFile }: Request): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code for the reader
    ...(isOpen ? [] : ['Authorization: `Bearer ${process.env.GENWAY_API_KEY}`']),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(isForm ? ['body: form'] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${indented(shown(json), '  ')})`]),
  ];
  const init = options.length === 0 ? '' : `, {\n${options.map((each) => `  ${each},`).join('\n')}\n}`;
  return [
    ...(isForm ? ["import { openAsBlob } from 'node:fs';", ''] : []),
    ...(isFile ? ["import { writeFile } from 'node:fs/promises';", ''] : []),
    ...(isForm
      ? ['const form = new FormData();', "form.append('file', await openAsBlob('fox.png'), 'fox.png');"]
      : []),
    `const response = await fetch('${url}'${init});`,
    'if (!response.ok) throw new Error(await response.text());',
    isFile
      ? "await writeFile('result', Buffer.from(await response.arrayBuffer()));"
      : 'console.log(await response.json());',
  ].join('\n');
}
