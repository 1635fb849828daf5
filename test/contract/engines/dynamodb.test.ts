import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describeDynamoDb } from '../../engines/conformance/index.ts';
import { stage } from '../stage.ts';

const client = new DynamoDBClient(stage.aws);
describeDynamoDb(() => client);
