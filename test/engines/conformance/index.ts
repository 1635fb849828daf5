export { newKey, ownTable } from './dynamodb/own-table.ts';
export { describeDynamoDb } from './dynamodb.ts';
export { describeKms } from './kms.ts';
export { refusal } from './refusal.ts';
export { describeS3 } from './s3.ts';
export { describeSqs, OwnQueue } from './sqs.ts';
