import { Readable } from 'node:stream';
import { routeHandler } from '../../deployed/gate.ts';
import { routes } from './definition.ts';
import { partOperation } from './upload-operation.ts';

const add = partOperation();

export const handler = routeHandler(routes['add-upload-part'], (call) =>
  add(call, Readable.from([call.body], { objectMode: false })),
);
