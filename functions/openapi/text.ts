import { stringify } from 'yaml';
import { operations, type RouteId, routes } from '../endpoints/definitions.ts';
import { isAudited, type Route } from '../http/routes.ts';
import { openApiDocument } from './document.ts';
import { type Operation, TAGS } from './operation.ts';

export const openApiJson = (): string => JSON.stringify(openApiDocument());

/**
 * Converted to JSON first, which drops undefined members. Text that YAML 1.1 reads as a number, a date or a truth, such
 * as `16:9`, is quoted, because many parsers still read that version.
 */
export const openApiYaml = (): string =>
  stringify(JSON.parse(openApiJson()), { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 120 });

const WORDS = new Set(['description', 'summary', 'example']);

/** What programs depend on in the description: everything but the texts for people. */
export const openApiSurface = (): unknown =>
  JSON.parse(JSON.stringify(openApiDocument()), (name, value) =>
    // A field of a schema may have such a name too, and is not a text.
    WORDS.has(name) && (name === 'example' || typeof value === 'string') ? undefined : value,
  );

const OPERATIONS_HEAD = `# Operations

\`npm run openapi\` writes this page from the same definitions as [openapi.yaml](openapi.yaml). Paths are below \`/api/v1\`.

- **key**: any API key or management key, a management key only, or none. A management key whose [scope](keys.md#limit-what-it-may-do) names
  workspaces cannot call what says *for all workspaces*.
- **group**: the group in the \`operations\` of a scope that allows it.
- **rate**: the class in which the calls of a key are counted, as in \`rate_limits\`.
- **audit**: calls with a management key are in the audit trail. Other calls are there only if they return \`urls\`.
`;

/** A table of all operations, by the tags of the reference. */
export function operationsPage(): string {
  const described: Readonly<Record<string, Operation>> = operations();
  const all: readonly Route[] = Object.values<Route & { readonly id: RouteId }>(routes);
  const sections = Object.keys(TAGS).map((tag) => {
    const rows = all.filter(({ id }) => described[id]?.tag === tag).map((route) => rowOf(route, described));
    return [
      `## ${tag}`,
      '',
      '| operation | | key | group | rate | audit |',
      '|---|---|---|---|---|---|',
      ...rows,
    ];
  });
  return `${OPERATIONS_HEAD}\n${sections.map((lines) => `${lines.join('\n')}\n`).join('\n')}`;
}

const KEYS = { public: 'none', key: 'any', management: 'management' } as const;

function rowOf(route: Route, described: Readonly<Record<string, Operation>>): string {
  const { id, method, path, access, group = '', limit = '', concernsAll } = route;
  const key = `${KEYS[access]}${concernsAll === true ? ', for all workspaces' : ''}`;
  const cells = [
    `\`${method} ${path}\``,
    described[id]?.summary,
    key,
    group,
    limit,
    isAudited(route) ? 'yes' : '',
  ];
  return `| ${cells.join(' | ')} |`;
}
