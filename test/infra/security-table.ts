import type { Template } from 'aws-cdk-lib/assertions';
import { routes } from '../../functions/endpoints/definitions.ts';
import type { StageConfig } from '../../lib/stage/schema.ts';
import { type Program, programsOf, rolesOf, type Statement } from './roles.ts';

/** Settings with a provider that uses the workspace's own key. */
export const EVERY_KIND_OF_PROVIDER: Partial<StageConfig> = {
  videos: { providers: { fal: { credential: 'workspace' } }, models: [] },
};

/** A right on one resource, and the programs that have it. */
export interface Right {
  readonly right: string;
  readonly programs: string;
}

const closed = Object.entries(routes).filter(([, { access }]) => access !== 'public');
const EVERY_KEYED = [...closed.map(([name]) => name), 'upload-server'];

/** Our programs, and the roles that work for one: of ECS, which starts the upload server, and of CDK's own function. */
export function holdersOf(template: Template): Program[] {
  const programs = programsOf(template);
  const names = new Set(programs.map(({ name }) => name));
  const known = new Set(programs.map(({ statements }) => JSON.stringify(statements)));
  const helpers = [...rolesOf(template).values()].flatMap((statements) => {
    const text = JSON.stringify(statements);
    const [, log] = /:log-group:\/[\w-]+\/([\w-]+):\*/.exec(text) ?? [];
    if (log === undefined || known.has(text)) return [];
    return [{ name: names.has(log) ? `the start of ${log}` : log, statements, variables: {} }];
  });
  return [...programs, ...helpers];
}

/** All rights of the holders. */
export function rightsOf(holders: readonly Program[]): Right[] {
  const named = new Map<string, Set<string>>();
  for (const { name, statements } of holders) {
    for (const right of statements.flatMap(rightsIn)) {
      named.set(right, (named.get(right) ?? new Set()).add(name));
    }
  }
  return [...named]
    .map(([right, names]) => ({ right, programs: nameAll([...names].toSorted()) }))
    .toSorted((a, b) => a.right.localeCompare(b.right));
}

/** The resources with a wildcard that a holder's rights name, as the table calls them. */
export const wildcardsOf = ({ statements }: Program): string[] => [
  ...new Set(
    statements
      .flatMap(({ Resource }) => [Resource].flat())
      .filter((resource) => /\*"(?:\]\]\})?$/.test(JSON.stringify(resource)))
      .map(nameOf),
  ),
];

function nameAll(names: readonly string[]): string {
  const isEvery = EVERY_KEYED.every((name) => names.includes(name));
  const others = isEvery ? names.filter((name) => !EVERY_KEYED.includes(name)) : names;
  return [...(isEvery ? ['all that take a key'] : []), ...others.map((name) => `\`${name}\``)].join(', ');
}

function rightsIn({ Action, Resource, Condition }: Statement): string[] {
  return [Resource]
    .flat()
    .flatMap((resource) => Action.map((action) => `${nameOf(resource)}: ${action}${limitOf(Condition)}`));
}

/** The resource's name from `Ref`, `Fn::GetAtt` or `Fn::Join`, without the hash that CDK adds. */
function nameOf(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const text = JSON.stringify(resource);
  if (text.includes(':log-group:')) return 'its own log/*';
  if (text.includes(':repository/')) return 'the repository of CDK';
  const [, id = text, stream = ''] =
    /"(?:Fn::GetAtt":\[|Ref":)"(\w+?)(?:[0-9A-F]{8})?"(?:,"(?:Arn|(Stream)Arn)"\]|\}$)/.exec(text) ?? [];
  const [, below = stream && '/stream'] = /,"(\/[^"]+)"\]/.exec(text) ?? [];
  return `${id}${below}`;
}

function limitOf(condition: unknown): string {
  const values = /"(?:dynamodb:Attributes|kms:EncryptionContext:provider)":(\[.*?\])/.exec(
    JSON.stringify(condition ?? {}),
  );
  return values?.[1] === undefined ? '' : ` (${JSON.parse(values[1]).join(', ')})`;
}
