import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { zipSync } from 'fflate';
import * as v from 'valibot';
import { STACK } from '../../local/deployment/deploy.ts';
import { type DrilledStage, DrillFailed, type Settings } from './drilled-stage.ts';

const BUCKET = 'cdk-hnb659fds-assets-000000000000-us-east-1';

const templateSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Resources: v.record(
      v.string(),
      v.object({
        Type: v.string(),
        Properties: v.optional(
          v.object({
            Name: v.optional(v.unknown()),
            Code: v.optional(v.object({ S3Key: v.string() })),
            Environment: v.optional(v.object({ Variables: v.record(v.string(), v.unknown()) })),
          }),
        ),
      }),
    ),
  }),
);
async function synthesized(
  stage: DrilledStage,
  settings: Settings,
): Promise<v.InferOutput<typeof templateSchema>> {
  await stage.cdk(['synth', STACK, '--quiet'], settings);
  return v.parse(templateSchema, await readFile(join(stage.state.cdkOut, `${STACK}.template.json`), 'utf8'));
}

/** The object that holds the code of a function. */
export async function codeOf(stage: DrilledStage, program: string, settings: Settings): Promise<string> {
  const { Resources } = await synthesized(stage, settings);
  const found = Object.values(Resources).find(
    ({ Properties }) => Properties?.Environment?.Variables.POWERTOOLS_SERVICE_NAME === program,
  );
  return keyOf(found?.Properties?.Code?.S3Key, program);
}

/** The name of the stage's first function at CloudFront. */
export async function edgeFunctionOf(stage: DrilledStage, settings: Settings): Promise<string> {
  const { Resources } = await synthesized(stage, settings);
  const found = Object.values(Resources).find(({ Type }) => Type === 'AWS::CloudFront::Function');
  return v.parse(v.string(), found?.Properties?.Name);
}

function keyOf(key: string | undefined, what: string): string {
  if (key === undefined) throw new DrillFailed(`${STACK} has no ${what}`);
  return key;
}

/** CDK uploads no object that is there already. @returns what removes the broken one */
export async function brokenAsset(
  { aws }: DrilledStage,
  Key: string,
  Body: Uint8Array,
): Promise<() => Promise<void>> {
  const client = new S3Client({ ...aws, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
  return async () => void (await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key })));
}

/** The code of a function that tells CloudFormation of a failure. It can be deleted all the same. */
export function failingProgram(): Uint8Array {
  const program = `export const handler = ({ RequestType, ResponseURL, StackId, RequestId, LogicalResourceId }) =>
    fetch(ResponseURL, {
      method: 'PUT',
      body: Buffer.from(JSON.stringify({
        StackId, RequestId, LogicalResourceId,
        PhysicalResourceId: 'none', Status: RequestType === 'Delete' ? 'SUCCESS' : 'FAILED', Reason: 'The log of the function says why',
      })),
    });`;
  return zipSync({ 'index.mjs': Buffer.from(program) });
}
