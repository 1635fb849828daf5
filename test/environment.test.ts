import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readEnvironment, setting } from '../functions/environment.ts';

test('a function reads its settings once, and only those that it names', () => {
  expect(readEnvironment({ TABLE: v.string() }, { TABLE: 't', SECRET: 's' })).toEqual({ TABLE: 't' });
});

test('the error names all missing ones, and shows no value', () => {
  const read = () =>
    readEnvironment({ TABLE: v.string(), QUEUE: v.string(), OTHER: v.string() }, { OTHER: 's3cret' });
  expect(read).toThrow('Missing or invalid environment variables: TABLE, QUEUE');
  expect(read).not.toThrow('s3cret');
});

test('a variable has the same name as in the infrastructure', () => {
  process.env.PORT = '8080';
  expect(setting('port')).toBe('8080');
  expect(setting('port', v.pipe(v.string(), v.transform(Number)))).toBe(8080);
  delete process.env.PORT;
  expect(() => setting('port')).toThrow('Missing or invalid environment variables: PORT');
  expect(setting('port', v.optional(v.string()))).toBeUndefined();
});
