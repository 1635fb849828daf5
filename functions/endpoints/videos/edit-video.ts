import { routeHandler } from '../../deployed/gate.ts';
import { continueOperation } from './continue-operation.ts';
import { routes } from './definition.ts';

export const handler = routeHandler(routes['edit-video'], continueOperation('edit'));
