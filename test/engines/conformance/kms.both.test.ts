import {
  CreateKeyCommand,
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateMacCommand,
} from '@aws-sdk/client-kms';
import { describe, expect, test } from '@jest/globals';
import { refusal } from './refusal.ts';
import { kms } from './tested-clients.ts';

const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
const KeyId = KeyMetadata?.KeyId;

const text = (content: string) => Buffer.from(content);

describe('a key that encrypts', () => {
  const seal = async (content: string, EncryptionContext?: Record<string, string>) => {
    const input = { KeyId, Plaintext: text(content), EncryptionContext };
    return (await kms.send(new EncryptCommand(input))).CiphertextBlob ?? new Uint8Array();
  };
  const unseal = async (
    CiphertextBlob: Uint8Array,
    EncryptionContext?: Record<string, string>,
    key?: string,
  ) => {
    const { Plaintext = [] } = await kms.send(
      new DecryptCommand({ CiphertextBlob, EncryptionContext, KeyId: key }),
    );
    return Buffer.from(Plaintext).toString();
  };

  test('decrypts what it has encrypted, with or without the key’s name', async () => {
    const sealed = await seal('secret');
    expect(Buffer.from(sealed).includes('secret')).toBe(false);
    expect(await unseal(sealed)).toBe('secret');
    expect(await unseal(sealed, undefined, KeyId)).toBe('secret');
  });

  test('encrypts the same text differently each time', async () => {
    expect(Buffer.from(await seal('secret'))).not.toEqual(Buffer.from(await seal('secret')));
  });

  test('binds it to its context, in any order', async () => {
    const sealed = await seal('secret', { a: '1', b: '2' });
    expect(await unseal(sealed, { b: '2', a: '1' })).toBe('secret');
    for (const context of [undefined, { a: '1' }, { a: '1', b: '3' }]) {
      expect((await refusal(unseal(sealed, context))).name).toBe('InvalidCiphertextException');
    }
  });

  test('creates data keys, in clear and encrypted', async () => {
    const { Plaintext, CiphertextBlob } = await kms.send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: { a: '1' } }),
    );
    expect(Plaintext).toHaveLength(32);
    const opened = await kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { a: '1' } }));
    expect(opened.Plaintext).toEqual(Plaintext);
  });

  test('has no other use, and must exist', async () => {
    const mac = { MacAlgorithm: 'HMAC_SHA_256', Message: text('m') } as const;
    const wrong = await refusal(kms.send(new GenerateMacCommand({ ...mac, KeyId })));
    expect(wrong.name).toBe('InvalidKeyUsageException');
    const missing = new EncryptCommand({ KeyId: crypto.randomUUID(), Plaintext: text('x') });
    expect((await refusal(kms.send(missing))).name).toBe('NotFoundException');
  });
});

describe('a key that signs with HMAC', () => {
  test('makes the same code for the same message, and another one for another', async () => {
    const made = await kms.send(
      new CreateKeyCommand({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' }),
    );
    const of = (message: string) =>
      ({ KeyId: made.KeyMetadata?.KeyId, MacAlgorithm: 'HMAC_SHA_256', Message: text(message) }) as const;
    const macOf = async (message: string) => (await kms.send(new GenerateMacCommand(of(message)))).Mac;
    const Mac = await macOf('one');
    expect(Mac).toHaveLength(32);
    expect(await macOf('one')).toEqual(Mac);
    expect(await macOf('other')).not.toEqual(Mac);
  });
});
