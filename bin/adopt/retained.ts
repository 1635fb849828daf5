/** What happened to a resource of a stack, as CloudFormation keeps it for 90 days after the stack's end. */
export interface StackEvent {
  readonly at: Date;
  readonly status: string;
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** What CloudFormation finds a resource by, of the types that a stage's data is in. Queues go with their stack. */
const IDENTIFIED_BY: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::KMS::Key': 'KeyId',
};

/** By its place in the template, what takes it. `cdk import --resource-mapping` reads it. */
export type ResourceMapping = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a stack has left behind as it was deleted. */
export function retainedBy(events: readonly StackEvent[]): ResourceMapping {
  const left = events
    .filter(({ status, type }) => status === 'DELETE_SKIPPED' && type in IDENTIFIED_BY)
    // Of several at one place, an earlier one was replaced while the stack was there.
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return Object.fromEntries(
    left.map(({ type, logicalId, physicalId }) => [logicalId, { [IDENTIFIED_BY[type] ?? '']: physicalId }]),
  );
}
