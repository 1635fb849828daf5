import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { DeriveBytes } from '../../aws/derive-bytes.ts';

/** A later version would be another key pair; receivers accept any key that is published. */
const NAME = 'webhook-ed25519/1';

/** The bytes of PKCS #8 before the 32 bytes of an Ed25519 private key (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 private key of the deployment, which signs every delivery beside its workspace's secrets. */
export async function deploymentKey(derive: DeriveBytes): Promise<KeyObject> {
  const key = Buffer.concat([PKCS8_PREFIX, await derive(NAME)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
