import { createManagementKey } from '../../functions/keys/create-management-key.ts';
import { type Admin, adminCommand } from './command.ts';
import { keyStores } from './key-stores.ts';

export const createManagementKeyCommand = (admin: Admin) =>
  adminCommand(
    'create-management-key',
    `Makes a management key and prints it; it is never shown again. The first key of a deployment is
made so.`,
    ['create-management-key --stage prod --name "Ada"'],
  )
    .option('--name <name>', 'what the key is listed as', 'Management key')
    .action(async ({ stage, name }) => {
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      admin.print(await createManagementKey(stores, name, admin.now()));
    });
