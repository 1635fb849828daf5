import { createHmac } from 'node:crypto';
import { ServiceError } from '../service.ts';

export type KeyUse = 'ENCRYPT_DECRYPT' | 'GENERATE_VERIFY_MAC';

export interface Key {
  readonly id: string;
  readonly use: KeyUse;
  /** The secret bytes, which never leave KMS. */
  readonly material: Buffer;
}

const ARN = 'arn:aws:kms:us-east-1:000000000000:key/';
export const arnOf = ({ id }: Pick<Key, 'id'>): string => `${ARN}${id}`;

/** The keys of one account. The same seed gives the same keys. */
export class Keys {
  readonly #keys = new Map<string, Key>();
  readonly #seed: string;

  constructor(seed: number) {
    this.#seed = `kms ${seed}`;
  }

  create(use: KeyUse, name = `${this.#keys.size + 1}`): Key {
    const material = createHmac('sha256', this.#seed).update(name).digest();
    const id = material.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
    const key = { id, use, material };
    this.#keys.set(id, key);
    return key;
  }

  /** Finds a key by its id or ARN. @throws ServiceError */
  find(idOrArn: string): Key {
    const key = this.#keys.get(idOrArn.replace(ARN, ''));
    if (key !== undefined) return key;
    throw new ServiceError('NotFoundException', `Key '${idOrArn}' does not exist`);
  }

  /** @throws ServiceError, also if the key has another use */
  findFor(use: KeyUse, idOrArn: string): Key {
    const key = this.find(idOrArn);
    if (key.use === use) return key;
    throw new ServiceError(
      'InvalidKeyUsageException',
      `${arnOf(key)} key usage is ${key.use} which is not valid for this operation.`,
    );
  }
}
