import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { type Changes, synthesize, WITHOUT_EDGE } from './template.ts';

/** Each setting by which something is rotated, before and after. */
const rotations: readonly (readonly [name: string, before: Changes, after: Changes])[] = [
  ['edgeSecretGeneration, the first time', { edgeSecretGeneration: 1 }, { edgeSecretGeneration: 2 }],
  ['edgeSecretGeneration, again', { edgeSecretGeneration: 2 }, { edgeSecretGeneration: 3 }],
  [
    'edgeSecretSha256, of one’s own edge',
    { ...WITHOUT_EDGE, canary: false, edgeSecretSha256: ['a'.repeat(64)] },
    {
      ...WITHOUT_EDGE,
      canary: false,
      edgeSecretSha256: ['b'.repeat(64), 'a'.repeat(64)],
    },
  ],
];

interface Gradual {
  readonly variables: Readonly<Record<string, unknown>>;
  /** The logical id of what its alias points to. Only another id makes CloudFormation publish another version. */
  readonly version: string;
}

/** The functions with an alias, by logical id. */
function gradualFunctions(template: Template): ReadonlyMap<string, Gradual> {
  const functions = template.findResources('AWS::Lambda::Function');
  const aliases = Object.values(template.findResources('AWS::Lambda::Alias'));
  return new Map(
    aliases.map(({ Properties }) => {
      const id = String(Properties.FunctionName.Ref);
      const variables = functions[id]?.Properties.Environment.Variables;
      return [id, { variables, version: String(Properties.FunctionVersion['Fn::GetAtt'][0]) }];
    }),
  );
}

/** What is new or different, and so can have another name or other attributes than before. */
function changedResources(before: Template, after: Template): string[] {
  const { Resources: old } = before.toJSON();
  const resources = Object.entries<object>(after.toJSON().Resources);
  return resources.filter(([id, resource]) => !isEqual(resource, old[id])).map(([id]) => id);
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The resources that a value reads, by `Ref` or `Fn::GetAtt`. */
const readBy = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/\{"(?:Ref":|Fn::GetAtt":\[)"(\w+)"/g)].flatMap(([, id]) => id ?? []);

describe.each(rotations)('a rotation by %s', (_name, earlier, later) => {
  test('gives each gradual function that it changes another version', async () => {
    const [before, after] = [await synthesize('prod', earlier), await synthesize('prod', later)];
    const changed = new Set(changedResources(before, after));
    const old = gradualFunctions(before);
    const gradual = [...gradualFunctions(after)];
    expect(gradual.length).toBeGreaterThan(4);
    const rotated = gradual.filter(
      ([id, { variables }]) =>
        !isEqual(variables, old.get(id)?.variables) || readBy(variables).some((part) => changed.has(part)),
    );
    expect(rotated.map(([id]) => id)).toEqual(
      expect.arrayContaining(
        ['submitvideo', 'getvideo', 'uploadfile'].map((name) => expect.stringContaining(name)),
      ),
    );
    const kept = rotated.filter(([id, { version }]) => version === old.get(id)?.version);
    expect(kept.map(([id]) => id)).toEqual([]);
  });
});
