import {
  BedrockRuntimeClient,
  GetAsyncInvokeCommand,
  StartAsyncInvokeCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { ownAccount } from '../../functions/videos/worker/provider-contexts.ts';
import { accountPorts } from '../videos/providers/account-fixture.ts';
import { describeClient, type Sent } from './describe-client.ts';

const JOB = 'vid_01jg000000000000000000000a';
const account = ownAccount({}, accountPorts);

const client = (endpoint: string) =>
  new BedrockRuntimeClient({
    endpoint,
    region: 'us-west-2',
    // Its own speaks HTTP/2, which the local server does not.
    requestHandler: new NodeHttpHandler(),
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
const asked = { prompt: 'A red fox', aspect_ratio: '16:9', duration: '5s', resolution: '720p' };
const start = (at: string, modelInput: typeof asked & object) =>
  client(at).send(
    new StartAsyncInvokeCommand({
      clientRequestToken: JOB,
      modelId: 'model-1',
      modelInput,
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://results/bedrock/${JOB}` } },
    }),
  );

/** Who signs, when, and how often it was tried. */
function even({ headers, ...sent }: Sent): Sent {
  const isSigning = /^(authorization|x-amz-.*|amz-sdk-.*)$/;
  return {
    ...sent,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !isSigning.test(name))),
  };
}

describeClient({
  vendor: 'bedrock',
  client: '@aws-sdk/client-bedrock-runtime 3.1164.0',
  context: () => ({ account }),
  even,
  asks: [['text', {}, (at) => start(at, asked)]],
  async make(at) {
    const { invocationArn } = await start(at, asked);
    for (;;) {
      const { status, failureMessage } = await client(at).send(new GetAsyncInvokeCommand({ invocationArn }));
      if (status === 'Failed') throw new Error(failureMessage);
      if (status === 'Completed')
        return account.link(`bedrock/${JOB}/${invocationArn?.split('/').at(-1)}/output.mp4`);
    }
  },
  failed: {
    invocationArn: 'arn:aws:bedrock:us-west-2:111122223333:async-invoke/t1',
    status: 'Failed',
    failureMessage: 'It broke',
  },
});
