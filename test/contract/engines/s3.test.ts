import { createS3Client } from '../../../functions/aws/s3.ts';
import { describeS3 } from '../../engines/conformance/index.ts';
import { stage } from '../stage.ts';

const client = createS3Client({ ...stage.aws, forcePathStyle: true });
describeS3(() => client);
