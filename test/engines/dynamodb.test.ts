import { AwsWorld } from './aws-world.ts';
import { describeDynamoDb } from './conformance/dynamodb.ts';

const { dynamodb } = new AwsWorld().startProcess();
describeDynamoDb(() => dynamodb);
