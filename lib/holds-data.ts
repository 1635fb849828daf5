/** Types of resources whose data nobody could restore. They may only be replaced or removed with explicit permission. */
export const HOLDS_DATA: readonly string[] = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
];
