/** One event in the life of a stack's resource. CloudFormation keeps it for 90 days after the stack's deletion. */
export interface StackEvent {
  readonly at: Date;
  readonly status: string;
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** The property that identifies a resource, for the types that hold a stage's data. Queues are deleted with their stack. */
const IDENTIFIED_BY: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::KMS::Key': 'KeyId',
};

/** The identifiers of resources by logical id, as `cdk import --resource-mapping` reads them. */
export type ResourceMapping = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The resources that a deleted stack has left behind. */
export function retainedBy(events: readonly StackEvent[]): ResourceMapping {
  const left = events
    .filter(({ status, type }) => status === 'DELETE_SKIPPED' && type in IDENTIFIED_BY)
    // If several had one logical id, the earlier ones were replaced while the stack existed.
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return Object.fromEntries(
    left.map(({ type, logicalId, physicalId }) => [logicalId, { [IDENTIFIED_BY[type] ?? '']: physicalId }]),
  );
}
