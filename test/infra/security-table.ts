import { routes } from '../../functions/http/routes.ts';
import type { StageConfig } from '../../lib/stage-config.ts';
import type { Program, Statement } from './roles.ts';

/** A stage that offers a provider which is called with a workspace's key. */
export const EVERY_KIND_OF_PROVIDER: Partial<StageConfig> = {
  videos: { providers: { fal: { credential: 'workspace' } }, models: [] },
};

/** A right on one resource, and who has it. */
export interface Right {
  readonly right: string;
  readonly programs: string;
}

const closed = Object.entries(routes).filter(([, { access }]) => access !== 'public');
const EVERY_KEYED = [...closed.map(([name]) => name), 'upload-server'];

/** Who may do what in the whole template, but for each program's own log. */
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

/** `Ref` of an alias, `Fn::GetAtt` of a table or its stream, or `Fn::Join` of it and an index, with CDK's hash left out. */
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
