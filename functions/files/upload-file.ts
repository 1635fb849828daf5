import { Readable } from 'node:stream';
import { routeHandler } from '../http/lambda.ts';
import { uploadOperation } from './upload/upload-operation.ts';

const upload = uploadOperation();

export const handler = routeHandler('upload-file', (call) =>
  upload(call, Readable.from([call.body], { objectMode: false })),
);
