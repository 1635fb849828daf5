import { SQSClient } from '@aws-sdk/client-sqs';
import { describeSqs } from '../../engines/conformance/index.ts';
import { stage } from '../stage.ts';

const client = new SQSClient(stage.aws);
describeSqs(() => client);
