import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { zipSync } from 'fflate';
import * as v from 'valibot';
import { STACK } from '../../local/deployment/deploy.ts';
import type { DrilledStage, Settings } from './drilled-stage.ts';

const BUCKET = 'cdk-hnb659fds-assets-000000000000-us-east-1';

const resourceSchema = v.object({ Type: v.string(), Properties: v.optional(v.unknown()) });
const templateSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ Resources: v.record(v.string(), resourceSchema) }),
);
const programSchema = v.object({ Code: v.object({ S3Key: v.string() }) });

/** The properties of the first resource of this type that has this text in them. */
async function propertiesOf(
  stage: DrilledStage,
  settings: Settings,
  type: string,
  contained: string,
): Promise<unknown> {
  await stage.cdk(['synth', STACK, '--quiet'], settings);
  const text = await readFile(join(stage.state.cdkOut, `${STACK}.template.json`), 'utf8');
  return Object.values(v.parse(templateSchema, text).Resources).find(
    ({ Type, Properties }) => Type === type && JSON.stringify(Properties).includes(contained),
  )?.Properties;
}

/** The object that holds the code of a function. */
export async function codeOf(stage: DrilledStage, program: string, settings: Settings): Promise<string> {
  const named = `"POWERTOOLS_SERVICE_NAME":"${program}"`;
  return v.parse(programSchema, await propertiesOf(stage, settings, 'AWS::Lambda::Function', named)).Code
    .S3Key;
}

/** The name of the stage's first function at CloudFront. */
export async function edgeFunctionOf(stage: DrilledStage, settings: Settings): Promise<string> {
  const properties = await propertiesOf(stage, settings, 'AWS::CloudFront::Function', '');
  return v.parse(v.object({ Name: v.string() }), properties).Name;
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
