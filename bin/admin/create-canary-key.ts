import { randomUUID } from 'node:crypto';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { issueKey } from '../../functions/keys/key.ts';
import { KeyLives } from '../../functions/keys/key-lives.ts';
import { plainWorkspace } from '../../functions/workspaces/default-workspace.ts';
import { type Admin, adminCommand } from './command.ts';
import { keyStores } from './key-stores.ts';

const NAME = 'Canary';
const SLUG = 'canary';

export const createCanaryKeyCommand = (admin: Admin) =>
  adminCommand(
    'create-canary-key',
    `Gives the stage's canary a new key in a separate workspace, and disables its old key. From then on the canary
calls the stage every five minutes. The key is kept in a secret of the stage, and is never shown.`,
    ['create-canary-key --stage prod'],
  ).action(async ({ stage }) => {
    const deployment = await admin.open(stage);
    const SecretId = deployment.output('CanaryKey');
    const stores = keyStores(deployment);
    const lives = new KeyLives(stores);
    const workspaceId = await ensureWorkspace(stores, admin.now());
    const { key, stored } = issueKey({ ...ITS_KEY, workspaceId }, admin.now(), admin.random);
    await lives.begin(stored, { limits: {}, countsByok: false });
    await deployment.secrets.send(new PutSecretValueCommand({ SecretId, SecretString: key }));
    for await (const { hash, workspace_id, disabled } of stores.keys.list()) {
      if (workspace_id !== workspaceId || disabled || hash === stored.hash) continue;
      await lives.change(hash, { disabled: true }, admin.now());
    }
    admin.print(`The canary has the key ${stored.label} of the workspace ${SLUG}`);
  });

const ITS_KEY = {
  kind: 'normal',
  name: NAME,
  creatorUserId: null,
  externalUser: null,
  expiresAt: null,
  rateLimits: {},
} as const;

async function ensureWorkspace(
  { workspaces, lists }: ReturnType<typeof keyStores>,
  now: Date,
): Promise<string> {
  const found = await workspaces.findBySlug(SLUG);
  if (found !== undefined) return found.id;
  const id = randomUUID();
  const identity = { id, createdBy: 'admin command', now };
  await workspaces.create(plainWorkspace({ name: NAME, slug: SLUG }, identity), lists);
  return id;
}
