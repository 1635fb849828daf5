import { randomUUID } from 'node:crypto';
import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { ListStore } from '../../lists/list-store.ts';

export const listStore = () => new ListStore(dynamo, setting('listsTable'), randomUUID);
