import type { KMSClient } from '@aws-sdk/client-kms';
import { beforeEach, expect, test } from '@jest/globals';
import {
  type SealedContent,
  sealContent,
  unsealContent,
} from '../../functions/generations/sealed-content.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const OWNER = { workspace_id: 'ws-1', generation_id: 'gen_1' };
/** Far more than KMS can encrypt directly. */
const TEXT = 'Ein Fuchs 🦊 im Schnee. '.repeat(10_000);

let kms: KMSClient;
let keyId: string;
let sealed: SealedContent;
beforeEach(async () => {
  const world = new AwsWorld();
  kms = world.startProcess().kms;
  keyId = new DeployedStage(world).name('Generations-Key');
  sealed = await sealContent(kms, keyId, OWNER, TEXT);
});

const open = (owner = OWNER, changed: Partial<SealedContent> = {}) =>
  unsealContent(kms, keyId, owner, { ...sealed, ...changed });

test('encrypted content can be decrypted by its owner, and is unreadable before', async () => {
  expect(await open()).toBe(TEXT);
  expect(Buffer.from(sealed.content).includes('Fuchs')).toBe(false);
});

test.each([
  ['workspace', { ...OWNER, workspace_id: 'ws-2' }],
  ['generation', { ...OWNER, generation_id: 'gen_2' }],
])('it cannot be decrypted for another %s', async (_, owner) => {
  await expect(open(owner)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
});

test('it cannot be decrypted after a change of any byte of the text or the tag', async () => {
  for (const at of [0, sealed.content.length - 1]) {
    const content = Buffer.from(sealed.content);
    content.writeUInt8(content.readUInt8(at) ^ 1, at);
    await expect(open(OWNER, { content })).rejects.toThrow('authenticate');
  }
});

test('each content has its own key', async () => {
  const again = await sealContent(kms, keyId, OWNER, TEXT);
  expect(Buffer.from(again.data_key).equals(sealed.data_key)).toBe(false);
  await expect(open(OWNER, { data_key: again.data_key })).rejects.toThrow('authenticate');
});
