import { Aws } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { BEDROCK_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { allOffers } from '../../functions/videos/catalogue/catalogue.ts';
import { acceptWildcard } from '../constructs/accept-finding.ts';
import type { Bucket } from '../constructs/bucket.ts';
import { type Capability, combine } from '../constructs/program.ts';
import type { StageConfig } from '../stage/config.ts';

type Bedrock = NonNullable<StageConfig['videos']['providers']['bedrock']>;

/**
 * The right to run Bedrock's video models, if the stage offers them. Bedrock writes the results with the function's
 * role, into the stage's own bucket unless the stage names another.
 */
export function bedrockSubmitter({ videos }: StageConfig, results: Bucket): Capability {
  const { bedrock } = videos.providers;
  if (bedrock === undefined) return combine();
  const models = [...allOffers(), ...videos.models].filter(({ provider }) => provider === 'bedrock');
  const upstream = [...new Set(models.map((model) => model.upstream))];
  const run = allowing(
    'bedrock:InvokeModel',
    ...upstream.map((model) => arn(bedrock, `:foundation-model/${model}`)),
    invocations(bedrock),
  );
  const write =
    bedrock.aws === undefined
      ? results.writerBelow(BEDROCK_PREFIX)
      : allowing('s3:PutObject', objectsOf(bedrock.aws));
  return combine(run, watcher(bedrock), write);
}

/** The right to poll a job at Bedrock, and to read its result. */
export function bedrockReader({ videos }: StageConfig, results: Bucket): Capability {
  const { bedrock } = videos.providers;
  if (bedrock === undefined) return combine();
  const read =
    bedrock.aws === undefined
      ? results.readerBelow(BEDROCK_PREFIX)
      : allowing('s3:GetObject', objectsOf(bedrock.aws));
  return combine(watcher(bedrock), read);
}

/** The right to find and delete what Bedrock has written, where that is in a bucket that the stage names. */
export function bedrockRemover({ videos }: StageConfig): Capability {
  const aws = videos.providers.bedrock?.aws;
  if (aws === undefined) return combine();
  const list: Capability = {
    environment: {},
    grant: (grantee) => {
      Grant.addToPrincipal({
        grantee,
        actions: ['s3:ListBucket'],
        resourceArns: [bucketOf(aws)],
        conditions: { StringLike: { 's3:prefix': `${BEDROCK_PREFIX}*` } },
      });
    },
  };
  return combine(list, allowing('s3:DeleteObject', objectsOf(aws)));
}

const watcher = (bedrock: Bedrock) => allowing('bedrock:GetAsyncInvoke', invocations(bedrock));

const invocations = (bedrock: Bedrock) => arn(bedrock, `${Aws.ACCOUNT_ID}:async-invoke/*`);

const bucketOf = ({ bucket }: NonNullable<Bedrock['aws']>) => `arn:${Aws.PARTITION}:s3:::${bucket}`;

const objectsOf = (aws: NonNullable<Bedrock['aws']>) => `${bucketOf(aws)}/${BEDROCK_PREFIX}*`;

const arn = ({ aws }: Bedrock, resource: string) =>
  `arn:${Aws.PARTITION}:bedrock:${aws?.region ?? Aws.REGION}:${resource}`;

const allowing = (action: string, ...resourceArns: string[]): Capability => ({
  environment: {},
  grant: (grantee) => {
    Grant.addToPrincipal({ grantee, actions: [action], resourceArns });
    const reason = 'Bedrock chooses the ids of invocations, and of the folders with their results';
    for (const named of resourceArns.filter((each) => each.endsWith('*')))
      acceptWildcard(grantee, named, reason);
  },
});
