/** A separate process that plays AWS: it answers at once with the recorded response. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { listen } from '../listen.ts';
import { type AwsCall, readRecording } from './recording.ts';

const keyedSchema = v.object({
  TableName: v.optional(v.string()),
  Key: v.optional(v.unknown()),
  /** Of a batch, with the tables' names. */
  RequestItems: v.optional(v.unknown()),
});
const messageSchema = v.object({ MessageBody: v.string() });
const orderSchema = v.object({ file: v.string(), aws: v.string() });

let answers = new Map<string, AwsCall>();

/** What identifies a call: the parts that are the same each time. */
function subjectOf(operation: string, sent: string): string {
  if (!sent.startsWith('{')) return operation;
  const { TableName, Key, RequestItems } = v.parse(keyedSchema, JSON.parse(sent));
  return `${operation} ${TableName} ${JSON.stringify(Key ?? RequestItems)}`;
}

function operationOf({ headers, method = '' }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? (target.split('.')[1] ?? target) : method;
}

/** The SDK compares the sent message with the digest that SQS returns, so that is computed. */
function answerOf(operation: string, sent: string): { status: number; body: string } {
  const call = answers.get(subjectOf(operation, sent)) ?? answers.get(operation);
  if (call === undefined) return { status: 501, body: `{"message":"${operation} was not recorded"}` };
  if (operation !== 'SendMessage') return { status: call.status, body: call.answered };
  const { MessageBody } = v.parse(messageSchema, JSON.parse(sent));
  const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
  return { status: 200, body: JSON.stringify({ MessageId: 'm', MD5OfMessageBody }) };
}

const server = createServer(async (request, response) => {
  const operation = operationOf(request);
  const sent = await buffer(request);
  const { status, body } = answerOf(operation, request.method === 'POST' ? sent.toString() : '');
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', etag: '"1"' }).end(body);
});
const { port } = new URL(await listen(server));
process.send?.({ port: Number(port) });

// Whoever asked is gone, and nobody else would end this process.
process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  const { file, aws } = v.parse(orderSchema, message);
  const { first, calls } = readRecording(file, aws);
  answers = new Map(
    [...first, ...calls].flatMap((call) => [
      [call.operation, call],
      [subjectOf(call.operation, call.sent), call],
    ]),
  );
  process.send?.('loaded');
});
