import { dynamo } from '../../aws/dynamo.ts';
import { transact } from '../../aws/dynamo-writes.ts';
import { decisionHandler } from './decision-handler.ts';
import { routes } from './definition.ts';

export const handler = decisionHandler(routes['refuse-change'], 'refused', (_call, _approval, decision) =>
  transact(dynamo, decision),
);
