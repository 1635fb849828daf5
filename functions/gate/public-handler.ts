import type { Call } from '../http/call.ts';
import type { ApiResponse } from '../http/response.ts';
import { type LambdaHandler, pipeline } from './pipeline.ts';

/** The handler of a Lambda that anyone may call: without the table of keys, and so without its client. */
export function publicHandler(operation: (call: Call) => Promise<ApiResponse>): LambdaHandler {
  return pipeline([], (context) => operation(context.call));
}
