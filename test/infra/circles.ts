import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

const templateSchema = v.object({ Resources: v.record(v.string(), v.unknown()) });

/**
 * Resources that depend on each other in a circle, so that CloudFormation cannot order them. CDK's own check ignores
 * update policies, but through them an alias depends on its deployment group.
 */
export function circlesIn(template: Template): string[][] {
  const { Resources } = v.parse(templateSchema, template.toJSON());
  const waitsFor = new Map(
    Object.entries(Resources).map(([id, resource]) => [
      id,
      namedIn(resource).filter((name) => name in Resources),
    ]),
  );
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (id: string, path: readonly string[]): void => {
    if (path.includes(id)) circles.push([...path.slice(path.indexOf(id)), id]);
    if (done.has(id) || path.includes(id)) return;
    for (const next of waitsFor.get(id) ?? []) visit(next, [...path, id]);
    done.add(id);
  };
  for (const id of waitsFor.keys()) visit(id, []);
  return circles;
}

/** All strings in `Ref`, `Fn::GetAtt`, `Fn::Sub` and `DependsOn` that could name a resource. */
function namedIn(resource: unknown): string[] {
  if (typeof resource === 'string')
    return [resource, ...[...resource.matchAll(/\$\{(\w+)/g)].map(([, id = '']) => id)];
  if (typeof resource !== 'object' || resource === null) return [];
  return Object.values(resource).flatMap(namedIn);
}
