/** Runs the deployed poller in a process of its own: each message is an event, each answer its result and its CPU time. */
import { pathToFileURL } from 'node:url';
import type { SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { SqsHandler } from '../../functions/aws/consumers.ts';

const [bundle = ''] = process.argv.slice(2);
const program: { readonly handler: SqsHandler } = await import(pathToFileURL(bundle).href);
const CONTEXT = JSON.parse('{"functionName":"poll-videos","awsRequestId":"measured"}');

// Whoever asked is gone, and nobody else would end this process.
process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  const event = v.parse(
    v.custom<SQSEvent>((given) => typeof given === 'object'),
    message,
  );
  const before = process.cpuUsage();
  try {
    const { batchItemFailures } = await program.handler(event, CONTEXT);
    const { user, system } = process.cpuUsage(before);
    process.send?.({ failed: batchItemFailures.length, microseconds: user + system });
  } catch (error) {
    process.send?.({ failure: String(error) });
  }
});
process.send?.('ready');
