import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';

const callSchema = v.object({
  /** Such as `GetItem` or `PUT`. */
  operation: v.string(),
  status: v.number(),
  sent: v.string(),
  answered: v.string(),
});
export type AwsCall = v.InferOutput<typeof callSchema>;

const recordingSchema = v.object({
  environment: v.record(v.string(), v.string()),
  event: v.custom<APIGatewayProxyEvent>((event) => typeof event === 'object'),
  /** The calls of the cold function, and of the warm one. */
  first: v.array(callSchema),
  calls: v.array(callSchema),
  status: v.number(),
});
export type Recording = v.InferOutput<typeof recordingSchema>;

/** A request to a route, and its AWS calls, as `test/contract/aws-calls.test.ts` recorded them. */
export const readRecording = (file: string, aws: string): Recording =>
  v.parse(recordingSchema, JSON.parse(readFileSync(file, 'utf8').replaceAll('http://aws.invalid', aws)));
