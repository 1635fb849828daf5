import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { KeyLives, type KeyLivesStores } from '../../functions/keys/key-lives.ts';
import { KeyStore, type StoredKey } from '../../functions/keys/key-store.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { workspaceKey } from '../../functions/workspaces/workspace-rows.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { storedKey } from './stored-key.ts';

export const NOW = new Date('2030-01-01T00:00:00Z');
export const WORKSPACE = defaultWorkspace(NOW, 'test');

/** Keys with all that is written with them. */
export async function startKeys(workspaces = [WORKSPACE]) {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const stores = {
    keys: new KeyStore(dynamo, stage.name('Keys')),
    accounts: new AccountStore(dynamo, stage.name('Accounts')),
    workspaces: new WorkspaceStore(dynamo, stage.name('Workspaces')),
    guardrails: new GuardrailStore(dynamo, stage.name('Guardrails')),
    lists: listsOf(dynamo, stage),
  } satisfies KeyLivesStores;
  for (const each of workspaces) await stores.workspaces.create(each, stores.lists);
  const lives = new KeyLives(stores);
  const workspaceRow = { TableName: stage.name('Workspaces'), Key: { pk: workspaceKey(WORKSPACE.id) } };

  return {
    world,
    dynamo,
    tables: {
      keys: stage.name('Keys'),
      accounts: stage.name('Accounts'),
      approvals: stage.name('Approvals'),
      offers: stage.name('Routing-Endpoints'),
    },
    stores,
    lives,

    /** Begins a key without a limit. */
    async begun(fields: Partial<StoredKey> = {}): Promise<StoredKey> {
      const key = storedKey({ workspace_id: WORKSPACE.id, ...fields });
      await lives.begin(key, { limits: {}, countsByok: false });
      return key;
    },

    loseWorkspace: () => dynamo.send(new DeleteCommand(workspaceRow)),

    /** What else is written with a key. */
    async around({ hash }: StoredKey) {
      const { Item: workspace } = await dynamo.send(new GetCommand(workspaceRow));
      const { closed, closes_at, limits } = await stores.accounts.readOne(keyAccount(hash));
      const inLists = async (kinds: string[]) => {
        const asked = { offset: 0, limit: 10, kinds };
        const pages = ['keys', `keys/${WORKSPACE.id}`].map((list) => stores.lists.page(list, asked));
        return (await Promise.all(pages)).map((page) => page?.ids.includes(hash) ?? false);
      };
      return {
        account: { closed, closes_at, limits },
        liveKeys: workspace?.live_keys,
        version: workspace?.version,
        lists: { enabled: await inLists(['enabled']), disabled: await inLists(['disabled']) },
      };
    },
  };
}
