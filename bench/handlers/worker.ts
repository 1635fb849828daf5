/** Runs one function in its own process, as often as requested, and reports the time. */
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { readRecording } from './recording.ts';

const [kind = '', bundle = '', file = '', aws = ''] = process.argv.slice(2);
const recording = readRecording(file, aws);
Object.assign(process.env, recording.environment, {
  AWS_ENDPOINT_URL: aws,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_PATIENCE: '10',
});

type Handler = (event: APIGatewayProxyEvent, context: object) => Promise<APIGatewayProxyResult>;
const program = await import(pathToFileURL(bundle).href);
const handler: Handler = kind === 'bare' ? program.bareHandler(recording) : program.handler;

async function run(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const { statusCode, body } = await handler(recording.event, {});
    if (statusCode !== recording.status) throw new Error(`answered with ${statusCode}: ${body}`);
  }
}

// Whoever asked is gone, and nobody else would end this process.
process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  const times = v.parse(v.number(), message);
  const before = process.cpuUsage();
  const begun = performance.now();
  try {
    await run(times);
  } catch (error) {
    process.send?.({ failure: String(error) });
    return;
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpu: (user + system) / times, wall: ((performance.now() - begun) * 1000) / times });
});
process.send?.('ready');
