/** Types of resources that hold what nobody could make again. None of them may be replaced or removed unasked. */
export const HOLDS_DATA: readonly string[] = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
];
