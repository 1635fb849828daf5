import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BEDROCK_PREFIX } from '../functions/videos/bucket-layout.ts';
import { allEndpoints } from '../functions/videos/catalogue/catalogue.ts';
import type { Capability } from './constructs/capability.ts';
import type { StageConfig } from './stage-config.ts';

/**
 * To run Bedrock's video models where the stage offers them. Bedrock writes what they make as the function's
 * role, which may write into the stage's own bucket anyway.
 */
export const bedrockUser = (config: StageConfig): Capability => ({
  environment: {},
  grant: (grantee) => {
    for (const statement of statements(config)) grantee.grantPrincipal.addToPrincipalPolicy(statement);
  },
});

function statements({ videos }: StageConfig): PolicyStatement[] {
  const { bedrock } = videos.providers;
  if (bedrock === undefined) return [];
  const arn = (resource: string) =>
    `arn:${Aws.PARTITION}:bedrock:${bedrock.aws?.region ?? Aws.REGION}:${resource}`;
  const models = [...allEndpoints(), ...videos.models].filter(({ provider }) => provider === 'bedrock');
  const upstream = new Set(models.map((model) => model.upstream));
  const invocations = arn(`${Aws.ACCOUNT_ID}:async-invoke/*`);
  const run = [
    new PolicyStatement({
      actions: ['bedrock:InvokeModel'],
      resources: [...[...upstream].map((model) => arn(`:foundation-model/${model}`)), invocations],
    }),
    new PolicyStatement({ actions: ['bedrock:GetAsyncInvoke'], resources: [invocations] }),
  ];
  if (bedrock.aws === undefined) return run;
  const results = new PolicyStatement({
    actions: ['s3:GetObject', 's3:PutObject'],
    resources: [`arn:${Aws.PARTITION}:s3:::${bedrock.aws.bucket}/${BEDROCK_PREFIX}*`],
  });
  return [...run, results];
}
