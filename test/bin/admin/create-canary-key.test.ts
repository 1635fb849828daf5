import { afterEach, expect, test } from '@jest/globals';
import { hashKey, isWellFormedKey } from '../../../functions/keys/key-format.ts';
import { KeyStore, type StoredKey } from '../../../functions/keys/key-store.ts';
import { WorkspaceStore } from '../../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { type LocalServer, serve } from '../../local-server.ts';
import { genway } from '../cli/genway.ts';
import { aDeployment } from './a-deployment.ts';

let server: LocalServer | undefined;
afterEach(() => server?.close());

async function stageWithSecret() {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const local = await serve(() => ({ status: 200, body: {} }));
  server = local;
  const output = (name: string) =>
    name === 'CanaryKey' ? 'arn:canary' : stage.name(name.replace('Table', ''));
  const deployment = aDeployment(output, { world, endpoint: local.url });
  const keys = async () => {
    const all: StoredKey[] = [];
    for await (const key of new KeyStore(deployment.client, output('KeysTable')).list()) all.push(key);
    return all;
  };
  return {
    run: () => genway(['admin', 'create-canary-key'], {}, { open: async () => deployment }),
    given: () => local.received.map(({ body }) => JSON.parse(body)),
    keys,
    workspaces: new WorkspaceStore(deployment.client, output('WorkspacesTable')),
  };
}

test('the canary gets a key of its own workspace, and the key is never shown', async () => {
  const { run, given, keys, workspaces } = await stageWithSecret();
  const { code, out, err } = await run();
  expect([code, err]).toEqual([0, '']);
  const [{ SecretId, SecretString: key }] = given();
  expect([SecretId, isWellFormedKey(key)]).toEqual(['arn:canary', true]);
  expect(out).not.toContain(key);
  const workspace = await workspaces.findBySlug('canary');
  expect(await keys()).toEqual([
    expect.objectContaining({
      hash: hashKey(key),
      kind: 'normal',
      workspace_id: workspace?.id,
      disabled: false,
    }),
  ]);
});

test('a new key disables the previous one', async () => {
  const { run, given, keys } = await stageWithSecret();
  await run();
  await run();
  const [first, second] = given().map(({ SecretString }) => hashKey(SecretString));
  const disabled = Object.fromEntries((await keys()).map((key) => [key.hash, key.disabled]));
  expect(disabled).toEqual({ [String(first)]: true, [String(second)]: false });
});
