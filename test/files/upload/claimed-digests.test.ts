import { createHash, type Hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { claimedDigests } from '../../../functions/files/upload/claimed-digests.ts';

const of = (algorithm: string): Hash => createHash(algorithm).update('Some words.\n');
const MD5 = of('md5').digest('base64');
const SHA256 = of('sha256').digest('base64');
const SHA512 = of('sha512').digest('base64');
const HEX = of('sha256').digest('hex');
const CRC = 'y/Q5Jg==';

const read = (field: string, value: string) =>
  claimedDigests(new Map([[field, value]])).map((claim) => [claim.algorithm, claim.encoding, claim.value]);

describe('the digests of a file in headers', () => {
  test.each<[string, string, string[][]]>([
    ['content-md5', MD5, [['md5', 'base64', MD5]]],
    ['content-md5', ` ${of('md5').digest('hex')} `, [['md5', 'hex', of('md5').digest('hex')]]],
    ['x-checksum-crc32', CRC, [['crc32', 'base64', CRC]]],
    ['x-checksum-crc32', 'CBF43926', [['crc32', 'hex', 'cbf43926']]],
    ['x-checksum-sha256', HEX.toUpperCase(), [['sha256', 'hex', HEX]]],
    ['digest', `SHA-256=${SHA256}`, [['sha256', 'base64', SHA256]]],
    [
      'digest',
      `unixsum=30637, md5=${MD5},sha-512=${SHA512}`,
      [
        ['md5', 'base64', MD5],
        ['sha512', 'base64', SHA512],
      ],
    ],
    ['repr-digest', `sha-256=:${SHA256}:`, [['sha256', 'base64', SHA256]]],
    ['repr-digest', `crc32c=:AAAAAA==:, sha-512=:${SHA512}:`, [['sha512', 'base64', SHA512]]],
    ['content-digest', 'whatever it is about, it is not the file', []],
  ])('%s: %s is read', (field, value, expected) => {
    expect(read(field, value)).toEqual(expected);
  });

  test('is trusted from the edge, which repeats the header that API Gateway drops', () => {
    const claims = claimedDigests(new Map([['x-genway-content-md5', MD5]]));
    expect(claims).toEqual([{ field: 'content-md5', algorithm: 'md5', encoding: 'base64', value: MD5 }]);
    expect(
      claimedDigests(
        new Map([
          ['content-md5', MD5],
          ['x-genway-content-md5', MD5],
        ]),
      ),
    ).toEqual(claims);
  });

  test('includes every stated digest', () => {
    const fields = new Map([
      ['content-md5', MD5],
      ['repr-digest', `sha-256=:${SHA256}:`],
    ]);
    expect(claimedDigests(fields).map(({ field }) => field)).toEqual(['content-md5', 'repr-digest']);
  });

  test.each([
    ['content-md5', '', 'the MD5 digest must have 16 bytes, in base64 or hexadecimal'],
    ['content-md5', 'no digest', '16 bytes'],
    ['content-md5', SHA256, '16 bytes'],
    ['content-md5', MD5.replace('==', ''), '16 bytes'],
    ['content-md5', `${MD5}, ${MD5}`, '16 bytes'],
    ['x-checksum-crc32', 'cbf4392', '4 bytes'],
    ['x-checksum-crc32', 'cbf4392g', '4 bytes'],
    ['x-checksum-crc32', '3421780262', '4 bytes'],
    ['x-checksum-sha256', MD5, '32 bytes'],
    ['x-checksum-sha512', SHA512, 'a checksum header that Genway knows'],
    ['digest', SHA256, 'such as sha-256=<base64>'],
    ['digest', `sha-256=:${SHA256}:`, 'such as sha-256=<base64>'],
    ['digest', `sha-256=${SHA256},`, 'such as sha-256=<base64>'],
    ['digest', `sha-256=${MD5}`, '32 bytes'],
    ['digest', 'unixsum=30637', 'a digest that Genway can check'],
    ['repr-digest', `sha-256=${SHA256}`, 'such as sha-256=:<base64>:'],
    ['repr-digest', `sha=:${MD5}:`, 'a digest that Genway can check'],
  ])('%s: %s is refused', (field, value, message) => {
    expect(() => read(field, value)).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringContaining(message),
        metadata: expect.objectContaining({ path: field }),
      }),
    );
  });
});
