import { KMSClient } from '@aws-sdk/client-kms';
import { describeKms } from '../../engines/conformance/index.ts';
import { stage } from '../stage.ts';

const client = new KMSClient(stage.aws);
describeKms(() => client);
