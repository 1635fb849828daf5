import { App, CfnResource } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import * as v from 'valibot';
import { GenwayStack } from '../../../lib/genway-stack.ts';
import { stageConfig } from '../../../lib/stage/config.ts';
import type { StageResource } from './stage-resources.ts';

const partSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Resources: v.record(
      v.string(),
      v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) }),
    ),
  }),
);

/** The resources of these types that the stage `local` deploys, read from their constructs. */
export function templateResources(types: readonly string[]): StageResource[] {
  const stack = withoutBundles(() => new GenwayStack(new App(), 'Genway', { config: stageConfig('local') }));
  return stack.node
    .findAll()
    .filter((construct) => CfnResource.isCfnResource(construct))
    .filter(({ cfnResourceType }) => types.includes(cfnResourceType))
    .flatMap((resource) => {
      const path = resource.node.scopes.slice(1, -1).map(({ node }) => node.id);
      const { Resources } = v.parse(partSchema, JSON.stringify(stack.resolve(partOfTemplate(resource))));
      return Object.entries(Resources).map(([logicalId, { Type, Properties }]) => ({
        logicalId,
        path: path.slice(1).join('-'),
        type: Type,
        properties: Properties,
      }));
    });
}

/**
 * The resource as the template will show it. CDK's types hide this method, but every public way renders the whole
 * stack.
 */
function partOfTemplate(resource: CfnResource): unknown {
  const render: unknown = Reflect.get(resource, '_toCloudFormation');
  if (typeof render !== 'function') throw new Error('CDK renders resources in another way now');
  return Reflect.apply(render, resource, []);
}

/** The code of functions does not matter here, and bundling it takes long. */
function withoutBundles<T>(build: () => T): T {
  const { fromAsset } = Code;
  Object.assign(Code, { fromAsset: () => Code.fromInline('-') });
  try {
    return build();
  } finally {
    Object.assign(Code, { fromAsset });
  }
}
