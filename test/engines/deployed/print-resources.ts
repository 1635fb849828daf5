/** Prints as JSON the resources that the engines need. */
import { templateResources } from './template-resources.ts';

const TYPES = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::SQS::Queue',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::Lambda::Function',
];

process.stdout.write(JSON.stringify(templateResources(TYPES)));
