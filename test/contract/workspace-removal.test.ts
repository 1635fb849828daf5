import { createS3Client } from '../../functions/aws/s3.ts';
import { describeRemoval } from '../workspaces/removal-suite.ts';
import { dynamo } from './aws.ts';
import { stage } from './stage.ts';

const { endpoint, region, credentials } = stage.aws;
describeRemoval({ dynamo, s3: createS3Client({ endpoint, region, credentials, forcePathStyle: true }) });
