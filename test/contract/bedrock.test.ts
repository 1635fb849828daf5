import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createS3Client } from '../../functions/aws/s3.ts';
import { signedFetch } from '../../functions/aws/signatures.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { render } from '../videos/providers/sandbox/render.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const { endpoint, region, credentials } = stage.aws;
const asRoot = (service: string) =>
  signedFetch(fetch, service, { region, credentials, now: () => new Date() });

/** The emulator can only grant these actions on all resources. */
beforeAll(async () => {
  const functions = await deployedFunctions(stage.aws);
  for (const name of ['submit-jobs', 'poll-videos', 'copy-videos'])
    await allowBedrock(functions.get(name)?.Role?.split('/').at(-1) ?? '');
});

async function allowBedrock(role: string): Promise<void> {
  const Action = ['bedrock:StartAsyncInvoke', 'bedrock:GetAsyncInvoke'];
  const body = new URLSearchParams({
    Action: 'PutRolePolicy',
    Version: '2010-05-08',
    RoleName: role,
    PolicyName: 'emulated-bedrock',
    PolicyDocument: JSON.stringify({
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action, Resource: '*' },
    }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await asRoot('iam')(endpoint, { method: 'POST', headers, body: String(body) });
  expect(answer.status).toBe(200);
}

const invocationsSchema = v.object({
  asyncInvokeSummaries: v.array(
    v.object({
      invocationArn: v.string(),
      clientRequestToken: v.string(),
      outputDataConfig: v.object({ s3OutputDataConfig: v.object({ s3Uri: v.string() }) }),
    }),
  ),
});

/** The request that the emulator's Bedrock received. It accepts jobs as Bedrock does, but makes no videos. */
async function invocationOf(job: string) {
  const answer = await asRoot('bedrock')(`${endpoint}/async-invoke`);
  const { asyncInvokeSummaries } = v.parse(invocationsSchema, await answer.json());
  return asyncInvokeSummaries.find(({ clientRequestToken }) => clientRequestToken === job);
}

test('a Bedrock video is started with the submitter’s role, and fetched from the bucket with the copier’s', async () => {
  const { key } = await newWorkspace();
  const request = { model: 'luma/ray-2', prompt: 'A fox', duration: 5 };
  const { status, body } = await call('POST', '/videos', { key, json: request });
  expect(status).toBe(202);

  const invocation = await until(
    () => invocationOf(body.id),
    (found) => found !== undefined,
  );
  const { s3Uri } = invocation!.outputDataConfig.s3OutputDataConfig;
  const { host: Bucket, pathname } = new URL(s3Uri);
  const made = await render({ durationSeconds: 1 });
  const Key = `${pathname.slice(1)}/${invocation!.invocationArn.split('/').at(-1)}/output.mp4`;
  const s3 = createS3Client({ endpoint, region, credentials, forcePathStyle: true });
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: made }));

  const { body: job } = await endedVideo(body.id, key);
  expect(job).toMatchObject({ status: 'completed', usage: { cost: 7.5, is_byok: false } });
  const content = await call('GET', `/videos/${body.id}/content`, { key });
  const download = await fetch(content.headers.get('location')!);
  expect(Buffer.from(await download.arrayBuffer()).equals(made)).toBe(true);
});
