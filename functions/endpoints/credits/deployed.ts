import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { AccountStore } from '../../money/account-store.ts';

export const accountStore = () => new AccountStore(dynamo, setting('accountsTable'));
