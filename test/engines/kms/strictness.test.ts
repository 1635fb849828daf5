import { CreateKeyCommand, DecryptCommand, EncryptCommand } from '@aws-sdk/client-kms';
import { describe, expect, test } from '@jest/globals';
import { AwsWorld } from '../aws-world.ts';
import { refusal } from '../conformance/refusal.ts';

/** AWS does this and the emulator does not, so the conformance suite cannot contain it. */
describe('more strictly than the emulator, the engine of KMS', () => {
  const { kms } = new AwsWorld().startProcess();
  const newKey = async () => (await kms.send(new CreateKeyCommand({}))).KeyMetadata?.KeyId;

  test('decrypts with the named key only', async () => {
    const [KeyId, another] = [await newKey(), await newKey()];
    const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId, Plaintext: Buffer.from('x') }));
    const error = await refusal(kms.send(new DecryptCommand({ CiphertextBlob, KeyId: another })));
    expect(error.name).toBe('IncorrectKeyException');
  });

  test('refuses what has been changed', async () => {
    const { CiphertextBlob = [] } = await kms.send(
      new EncryptCommand({ KeyId: await newKey(), Plaintext: Buffer.from('x') }),
    );
    for (const i of CiphertextBlob.keys()) {
      const changed = Uint8Array.from(CiphertextBlob).with(i, (CiphertextBlob[i] ?? 0) ^ 1);
      const error = await refusal(kms.send(new DecryptCommand({ CiphertextBlob: changed })));
      expect(error.name).toBe('InvalidCiphertextException');
    }
  });

  test('encrypts up to 4,096 bytes', async () => {
    const KeyId = await newKey();
    const encrypt = (length: number) =>
      kms.send(new EncryptCommand({ KeyId, Plaintext: Buffer.alloc(length) }));
    await encrypt(4_096);
    expect((await refusal(encrypt(4_097))).name).toBe('ValidationException');
    expect((await refusal(encrypt(0))).name).toBe('ValidationException');
  });
});
