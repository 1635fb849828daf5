import { createManagementKey } from '../../functions/keys/create-management-key.ts';
import { type Admin, adminCommand } from './command.ts';
import { keyStores } from './key-stores.ts';

export const createManagementKeyCommand = (admin: Admin) =>
  adminCommand(
    'create-management-key',
    `Creates a management key and prints it; it is never shown again. Use this for the first key of a deployment.`,
    ['create-management-key --stage prod --name "Ada"'],
  )
    .option('--name <name>', 'the name of the key in lists', 'Management key')
    .action(async ({ stage, name }) => {
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      admin.print(await createManagementKey(stores, name, admin.now()));
    });
