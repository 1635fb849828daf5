import { Readable } from 'node:stream';
import { routeHandler } from '../../deployed/gate.ts';
import { routes } from './definition.ts';
import { FUNCTION_MILLISECONDS } from './provider-accounts.ts';
import { uploadOperation } from './upload-operation.ts';

const upload = uploadOperation(FUNCTION_MILLISECONDS);

export const handler = routeHandler(routes['upload-file'], (call) =>
  upload(call, Readable.from([call.body], { objectMode: false })),
);
