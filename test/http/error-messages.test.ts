import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as errors from '../../functions/http/errors.ts';

const FUNCTIONS = join(import.meta.dirname, '../../functions');
const CLASSES = Object.keys(errors).filter((name) => /^[A-Z][a-z]/.test(name));
const THROWN = new RegExp(String.raw`new (?:${CLASSES.join('|')})\(\s*(['"\`])(.*?)\1`, 'g');
/** Such as `data:` or `key_hashes.${index}:`. */
const FIELD = /^(?:[a-z_]|\$\{)[\w.${}(), ']*: /;
/** A method, a number, and a text that stands elsewhere. */
const VALUE = /^\$\{(?:method|MOST_SECRETS|UNKNOWN_PATH|who)\}/;

test('a message of an error begins with a capital letter, or with the path of a field', () => {
  const messages = globSync('**/*.ts', { cwd: FUNCTIONS }).flatMap((file) =>
    [...readFileSync(join(FUNCTIONS, file), 'utf8').matchAll(THROWN)].map(([, , text = '']) => text),
  );
  expect(messages.length).toBeGreaterThan(60);
  const isFine = (text: string) => [/^[A-Z]/, FIELD, VALUE].some((begin) => begin.test(text));
  expect(messages.filter((text) => !isFine(text))).toEqual([]);
});
