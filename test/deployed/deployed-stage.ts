import * as v from 'valibot';
import type { AwsWorld } from '../engines/index.ts';
import { type StageResource, stageResources } from './stage-resources.ts';

const tableProperties = v.object({
  KeySchema: v.unknown(),
  AttributeDefinitions: v.unknown(),
  GlobalSecondaryIndexes: v.optional(v.unknown(), []),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string() })),
});
const queueProperties = v.object({
  VisibilityTimeout: v.optional(v.number()),
  MessageRetentionPeriod: v.optional(v.number()),
  RedrivePolicy: v.optional(
    v.object({
      deadLetterTargetArn: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
      maxReceiveCount: v.number(),
    }),
  ),
});
const keyProperties = v.object({
  KeyUsage: v.optional(v.picklist(['ENCRYPT_DECRYPT', 'GENERATE_VERIFY_MAC']), 'ENCRYPT_DECRYPT'),
});
const functionProperties = v.object({
  Timeout: v.optional(v.number(), 3),
  Environment: v.optional(v.object({ Variables: v.record(v.string(), v.unknown()) }), { Variables: {} }),
});
const referenceSchema = v.object({ Ref: v.string() });
const attributeSchema = v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) });

/**
 * Creates a resource and returns its name. `names` has the resources created before; a queue is created after the
 * queues to which it refers.
 */
type Maker = (resource: StageResource, names: ReadonlyMap<string, string>) => string;

/** A stage's tables, queues, buckets and keys, created in a world's engines from the template of `lib/`. */
export class DeployedStage {
  /** What a custom resource would find out, by its attributes. */
  readonly foundOut: Record<string, string> = {};
  /** The names of resources by their logical ids. */
  readonly #names = new Map<string, string>();
  readonly #environments = new Map<string, Readonly<Record<string, string>>>();

  constructor(world: AwsWorld) {
    const makers = makersIn(world);
    for (const resource of stageResources()) {
      const make = makers[resource.type];
      if (make !== undefined) this.#names.set(resource.logicalId, make(resource, this.#names));
    }
  }

  /** The name of a resource by its path in the stack, such as `Videos-Jobs`. For a queue it is the URL. */
  name(path: string): string {
    const resource = stageResources().find((each) => each.path === path && this.#names.has(each.logicalId));
    if (resource === undefined) throw new Error(`the stage has no ${path}`);
    return this.#names.get(resource.logicalId) ?? '';
  }

  /** A function's environment variables, with the names of resources in these engines. */
  environment(name: string): Readonly<Record<string, string>> {
    const environment = this.#environments.get(name) ?? this.#environmentOf(name);
    this.#environments.set(name, environment);
    return environment;
  }

  timeoutSeconds = (name: string): number => functionOf(name).Timeout;

  #environmentOf(name: string): Readonly<Record<string, string>> {
    const { Variables } = functionOf(name).Environment;
    return Object.fromEntries(Object.entries(Variables).map(([key, value]) => [key, this.#resolve(value)]));
  }

  #resolve(value: unknown): string {
    if (typeof value === 'string') return value;
    const resolved = v.is(attributeSchema, value)
      ? this.foundOut[value['Fn::GetAtt'][1]]
      : v.is(referenceSchema, value) && this.#names.get(value.Ref);
    if (!resolved) throw new Error(`the engines have no ${JSON.stringify(value)}`);
    return resolved;
  }
}

let functions: ReadonlyMap<unknown, v.InferOutput<typeof functionProperties>> | undefined;

function functionOf(name: string): v.InferOutput<typeof functionProperties> {
  functions ??= new Map(
    stageResources()
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ properties }) => v.parse(functionProperties, properties))
      .map((each) => [each.Environment.Variables.POWERTOOLS_SERVICE_NAME, each]),
  );
  const found = functions.get(name);
  if (found === undefined) throw new Error(`the stage has no function ${name}`);
  return found;
}

const makersIn = ({ dynamodb, sqs, s3, kms }: AwsWorld): Readonly<Record<string, Maker>> => ({
  'AWS::DynamoDB::GlobalTable': ({ path, properties }) => {
    const { TimeToLiveSpecification, ...schema } = v.parse(tableProperties, properties);
    const table = dynamodb.createTable({ TableName: path, ...schema });
    table.expiresBy = TimeToLiveSpecification?.AttributeName;
    return path;
  },
  'AWS::SQS::Queue': ({ path, properties }, names) => {
    const { RedrivePolicy, ...attributes } = v.parse(queueProperties, properties);
    const texts = Object.entries(attributes).map(([name, value]) => [name, String(value)]);
    if (RedrivePolicy === undefined) return sqs.createQueue(path, Object.fromEntries(texts));
    const [target] = RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'];
    const policy = { ...RedrivePolicy, deadLetterTargetArn: names.get(target) };
    return sqs.createQueue(path, { ...Object.fromEntries(texts), RedrivePolicy: JSON.stringify(policy) });
  },
  'AWS::S3::Bucket': ({ path }) => s3.createBucket(path.toLowerCase()).name,
  // Functions only need a name for those that call them.
  'AWS::Lambda::Function': ({ path }) => path,
  'AWS::KMS::Key': ({ path, properties }) => kms.createKey(v.parse(keyProperties, properties).KeyUsage, path),
});
