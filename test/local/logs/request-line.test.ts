import { describe, expect, test } from '@jest/globals';
import { hashKey } from '../../../functions/keys/key-format.ts';
import { KeyNames, requestLine } from '../../../local/logs/request-line.ts';
import { plain } from '../../../local/terminal/text.ts';
import { HOSTILE, OBEYED, SHOWN } from '../terminal/hostile-text.ts';

const request = {
  method: 'GET',
  path: '/api/v1/videos',
  status: 200,
  milliseconds: 34.4,
  authorization: undefined,
  address: '127.0.0.1',
};

describe('the line of a request', () => {
  test('has method, path, status, milliseconds and the name of the key', () => {
    expect(requestLine(request, 'Local API key', plain)).toBe(
      'GET /api/v1/videos                       200    34 ms Local API key',
    );
  });

  test('has no key that somebody has put into the path', () => {
    const path = `/api/v1/keys/sk-gw-v1-${'a'.repeat(40)}`;
    expect(requestLine({ ...request, path }, 'k', plain)).toContain('GET /api/v1/keys/sk-gw-v1-… ');
  });

  test('says that the caller disconnected before a response', () => {
    expect(requestLine({ ...request, status: undefined }, 'no key', plain)).toContain(' left ');
  });

  test.each([
    ['method', requestLine({ ...request, method: HOSTILE }, 'k', plain)],
    ['path', requestLine({ ...request, path: HOSTILE }, 'k', plain)],
    ['key', requestLine(request, HOSTILE, plain)],
  ])('has no control characters in its %s', (_, line) => {
    expect(line).toContain(SHOWN);
    expect(line).not.toMatch(OBEYED);
  });
});

describe('the name of a key', () => {
  test('is looked up once for each key', async () => {
    const asked: string[] = [];
    const names = new KeyNames(async (hash) => {
      asked.push(hash);
      return { name: 'Mine' };
    });
    expect(await names.nameOf('Bearer sk-1')).toBe('Mine');
    expect(await names.nameOf('bearer  sk-1')).toBe('Mine');
    expect(asked).toEqual([hashKey('sk-1')]);
  });

  test('is looked up again if the key was unknown, or the table did not answer', async () => {
    const answers = [
      async () => undefined,
      () => Promise.reject(new Error('gone')),
      async () => ({ name: 'New' }),
    ];
    const names = new KeyNames(() => answers.shift()?.() ?? Promise.resolve(undefined));
    expect(await names.nameOf('Bearer sk-1')).toBe('unknown key');
    expect(await names.nameOf('Bearer sk-1')).toBe('unknown key');
    expect(await names.nameOf('Bearer sk-1')).toBe('New');
  });

  test('is empty if no key was sent', async () => {
    expect(await new KeyNames(async () => ({ name: 'Mine' })).nameOf(undefined)).toBe('no key');
  });
});
