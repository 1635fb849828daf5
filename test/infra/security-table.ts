import { routes } from '../../functions/endpoints/definitions.ts';
import type { StageConfig } from '../../lib/stage/schema.ts';
import type { Program, Statement } from './roles.ts';

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

/** All rights in the template, except those on a program's own log. */
export function rightsOf(programs: readonly Program[]): Right[] {
  const holders = new Map<string, Set<string>>();
  for (const { name, statements } of programs) {
    for (const right of statements.flatMap(rightsIn)) {
      holders.set(right, (holders.get(right) ?? new Set()).add(name));
    }
  }
  return [...holders]
    .map(([right, names]) => ({ right, programs: nameAll([...names].toSorted()) }))
    .toSorted((a, b) => a.right.localeCompare(b.right));
}

function nameAll(names: readonly string[]): string {
  const isEvery = EVERY_KEYED.every((name) => names.includes(name));
  const others = isEvery ? names.filter((name) => !EVERY_KEYED.includes(name)) : names;
  return [...(isEvery ? ['all that take a key'] : []), ...others.map((name) => `\`${name}\``)].join(', ');
}

function rightsIn({ Action, Resource, Condition }: Statement): string[] {
  const actions = Action.filter((action) => !action.startsWith('logs:'));
  return [Resource]
    .flat()
    .flatMap((resource) => actions.map((action) => `${nameOf(resource)}: ${action}${limitOf(Condition)}`));
}

/** The resource's name from `Ref`, `Fn::GetAtt` or `Fn::Join`, without the hash that CDK adds. */
function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
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
