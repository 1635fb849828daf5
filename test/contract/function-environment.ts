import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { physicalIds } from './physical-ids.ts';
import { stage } from './stage.ts';

const valueSchema = v.union([
  v.string(),
  v.object({ Ref: v.string() }),
  v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }),
]);
const functionSchema = v.object({
  Type: v.literal('AWS::Lambda::Function'),
  Properties: v.object({
    Environment: v.object({
      Variables: v.objectWithRest({ POWERTOOLS_SERVICE_NAME: v.string() }, valueSchema),
    }),
  }),
});
const templateSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ Resources: v.record(v.string(), v.unknown()) }),
);

/** The environment of each deployed function, with the real names of its resources. */
export async function functionEnvironments(
  adapt: (value: string) => string,
): Promise<Map<string, Record<string, string>>> {
  const ids = await physicalIds();
  const { Resources } = v.parse(templateSchema, await readFile(stage.template, 'utf8'));
  const environments = new Map<string, Record<string, string>>();
  for (const resource of Object.values(Resources)) {
    if (!v.is(functionSchema, resource)) continue;
    const { Variables } = resource.Properties.Environment;
    const resolved = Object.entries(Variables).map(([name, value]) => [name, adapt(resolve(value, ids))]);
    environments.set(Variables.POWERTOOLS_SERVICE_NAME, Object.fromEntries(resolved));
  }
  return environments;
}

function resolve(value: v.InferOutput<typeof valueSchema>, ids: ReadonlyMap<string, string>): string {
  if (typeof value === 'string') return value;
  const logicalId = 'Ref' in value ? value.Ref : value['Fn::GetAtt'][0];
  const id = ids.get(logicalId);
  if (id === undefined) throw new Error(`the stack has no ${logicalId}`);
  return id;
}
