import { basename } from 'node:path';
import { CannotGenerate, type Change, type Checkout, checkName, lineAdded, newFile } from './change.ts';

export interface NewEndpoint {
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly access: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ACCESSES = ['key', 'management'];

/** Every place that an endpoint needs. Its test fails until the handler is written. */
export function endpointChanges(checkout: Checkout, endpoint: NewEndpoint): Change[] {
  check(checkout, endpoint);
  const { area, method, path, name, access } = endpoint;
  const limit = method === 'GET' ? 'read' : 'admin';
  const row =
    access === 'management' ? `managed('${method}', '${path}')` : `keyed('${method}', '${path}', '${limit}')`;
  return [
    lineAdded(checkout, 'functions/http/routes.ts', 'export const routes = {', `  '${name}': ${row},`),
    newFile(checkout, `functions/endpoints/${area}/${name}.ts`, handler(name)),
    capabilities(checkout, area, name),
    description(checkout, area, name),
    ...newParameters(checkout, path),
    lineAdded(checkout, 'test/contract/access-rows.ts', 'export const rows', accessRow(endpoint)),
    lineAdded(checkout, 'test/contract/aws-calls.test.ts', 'const WARM', `  '${name}': ['UpdateItem'],`),
    newFile(checkout, `test/contract/${name}.test.ts`, contractTest(endpoint)),
  ];
}

function check(checkout: Checkout, { area, method, path, name, access }: NewEndpoint): void {
  checkName('name', name);
  const areas = checkout.list('functions/endpoints/*/deployed.ts').map((file) => file.split('/')[2] ?? '');
  if (!areas.includes(area))
    throw new CannotGenerate(`area: “${area}” is not one of ${areas.sort().join(', ')}`);
  if (!METHODS.includes(method))
    throw new CannotGenerate(`method: “${method}” is not one of ${METHODS.join(', ')}`);
  if (!ACCESSES.includes(access))
    throw new CannotGenerate(`--access: “${access}” is not one of ${ACCESSES.join(', ')}`);
  if (!/^(?:\/(?:[a-z][a-z-]*|\{[a-z]+\}))+$/.test(path)) {
    throw new CannotGenerate(`path: “${path}” is not a path below /api/v1, such as /videos/{video}/summary`);
  }
  const routes = checkout.read('functions/http/routes.ts');
  if (routes.includes(`\n  '${name}': `)) throw new CannotGenerate(`name: the route ${name} exists already`);
}

const handler = (name: string): string => `import { routeHandler } from '../../gate/route-handler.ts';

export const handler = routeHandler('${name}', async () => {
  throw new Error('${name} is not written yet');
});
`;

/** A row beside the area's other functions, without any rights yet. */
function capabilities(checkout: Checkout, area: string, name: string): Change {
  return besideNeighbours(checkout, area, 'lib/**/*.ts', () => `  '${name}': [],`);
}

/** A row among the descriptions of the area's other endpoints, under the same heading. */
function description(checkout: Checkout, area: string, name: string): Change {
  return besideNeighbours(checkout, area, 'functions/openapi/*.ts', (neighbours) => {
    const [tag] = /\btag: '[^']+'/.exec(neighbours) ?? ["tag: 'Description'"];
    return `  '${name}': { ${tag}, summary: '${name}', answers: { 200: { says: 'Not described yet.' } } },`;
  });
}

/** Descriptions of path parameters that are new. */
function newParameters(checkout: Checkout, path: string): Change[] {
  const file = 'functions/openapi/path-parameters.ts';
  const known = checkout.read(file);
  const lines = parameters(path)
    .filter((name) => !known.includes(`\n  ${name}: `))
    .map((name) => `  ${name}: v.pipe(v.string(), v.description('Not described yet')),`);
  return lines.length === 0
    ? []
    : [lineAdded(checkout, file, 'export const pathParameters', lines.join('\n'))];
}

/** Adds a line before the area's first row, in the first file that has one. */
function besideNeighbours(
  checkout: Checkout,
  area: string,
  glob: string,
  line: (neighbours: string) => string,
): Change {
  const neighbours = checkout.list(`functions/endpoints/${area}/*.ts`).map((file) => basename(file, '.ts'));
  for (const path of checkout.list(glob)) {
    const text = checkout.read(path);
    const rows = [...text.matchAll(/\n {1,8}'([\w-]+)': /g)];
    const at = rows.find(([, name = '']) => neighbours.includes(name))?.index;
    if (at === undefined) continue;
    return { path, text: `${text.slice(0, at)}\n${line(text.slice(at))}${text.slice(at)}` };
  }
  throw new CannotGenerate(`area: no file of ${glob} has a row of an endpoint of ${area}`);
}

/** The values that the access matrix puts into a path. */
const THINGS: Readonly<Record<string, string>> = {
  video: 'video',
  file: 'file',
  workspace: 'workspace',
  hash: 'key',
};

const parameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function accessRow({ path, name }: NewEndpoint): string {
  const named = parameters(path).find((parameter) => parameter in THINGS);
  const others = parameters(path).filter((parameter) => parameter !== named);
  const fields = [
    ...(named === undefined ? [] : [`names: '${THINGS[named]}'`]),
    ...(others.length === 0
      ? []
      : [`others: { ${others.map((other) => `${other}: 'unknown'`).join(', ')} }`]),
    'passes: 200',
  ];
  return `  '${name}': { ${fields.join(', ')} },`;
}

function contractTest({ method, path, access }: NewEndpoint): string {
  const key = access === 'management' ? 'stage.managementKey' : 'workspace.key';
  const made = parameters(path)
    .filter((parameter) => parameter in THINGS)
    .map((parameter) => `  const ${parameter} = await things.${THINGS[parameter]}.make(workspace);\n`);
  const url = path.replaceAll('{', '$' + '{');
  const others = parameters(path)
    .filter((parameter) => !(parameter in THINGS))
    .map((parameter) => `  const ${parameter} = 'unknown';\n`);
  const needsWorkspace = access === 'key' || made.length > 0;
  const imports = [
    'call',
    ...(needsWorkspace ? ['newWorkspace'] : []),
    ...(access === 'key' ? [] : ['stage']),
  ];
  const quoted = url === path ? `'${path}'` : `\`${url}\``;
  return `import { expect, test } from '@jest/globals';
${made.length > 0 ? "import { things } from './access-rows.ts';\n" : ''}import { ${imports.join(', ')} } from './stage.ts';

test('${method} ${path} answers', async () => {
${needsWorkspace ? '  const workspace = await newWorkspace();\n' : ''}${made.join('')}${others.join('')}  const answer = await call('${method}', ${quoted}, { key: ${key} });
  expect(answer).toMatchObject({ status: 200, body: { data: {} } });
});
`;
}
