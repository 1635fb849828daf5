import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

const templateSchema = v.object({ Resources: v.record(v.string(), v.unknown()) });

/**
 * The resources that CloudFormation could not put in an order. CDK's own check of a template leaves out update
 * policies, by which an alias waits for its deployment group.
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

/** Every string that could be a resource's place: by `Ref`, `Fn::GetAtt`, `Fn::Sub` or `DependsOn`. */
function namedIn(resource: unknown): string[] {
  if (typeof resource === 'string')
    return [resource, ...[...resource.matchAll(/\$\{(\w+)/g)].map(([, id = '']) => id)];
  if (typeof resource !== 'object' || resource === null) return [];
  return Object.values(resource).flatMap(namedIn);
}
