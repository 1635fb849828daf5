import { randomBytes } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { generateKey } from '../../functions/keys/key-format.ts';
import { redact, redactText } from '../../functions/telemetry/redaction.ts';

const key = generateKey('normal', randomBytes);
const managementKey = generateKey('management', randomBytes);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signed =
  'https://bucket.s3.amazonaws.com/a?X-Amz-Credential=AKIA%2Fx&X-Amz-Signature=0123abcd&x-id=GetObject';

const logger = new Logger({ serviceName: 'poll-videos', jsonReplacerFn: redact });

describe('the final filter of the log', () => {
  test.each([
    [`the key ${key} is wrong`, 'the key sk-gw-v1-… is wrong'],
    [`"${managementKey}"`, '"mk-gw-v1-…"'],
    [`the session ${generateKey('session', randomBytes)} ended`, 'the session cs-gw-v1-… ended'],
    [`Bearer ${key}`, 'Bearer …'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic …'],
    [`${secret} and more`, 'whsec_… and more'],
    ['sk-proj-abcdefghijklmnop1234: no such key', 'sk-…: no such key'],
    ['Key 01234567-89ab-cdef-0123-456789abcdef:0123456789abcdef0123', 'Key …'],
    [signed, 'https://bucket.s3.amazonaws.com/a?X-Amz-Credential=…&X-Amz-Signature=…&x-id=GetObject'],
    ['GET https://hook.example/x?token=abc&a=1 failed', 'GET https://hook.example/x?token=…&a=1 failed'],
  ])('removes the secret from %j', (text, rest) => {
    expect(redactText(text)).toBe(rest);
  });

  test.each([
    'Invalid API key',
    'sk-gw-v1-abc...xyz',
    'the basic shape of a bearer',
    'gw_file_01jabcdefghjkmnpqrstvwxyz0',
    '01234567-89ab-cdef-0123-456789abcdef',
    'the task-force-of-the-whole-deployment',
  ])('leaves %j unchanged', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('reaches every string of a line, however deep, and every cause of an error', () => {
    const line = { a: [{ b: key }], error: { name: 'Error', cause: { message: `with ${secret}` } }, n: 1 };
    const written = JSON.stringify(line, redact);
    expect(written).toContain('sk-gw-v1-…');
    expect(written).not.toContain(key);
    expect(written).not.toContain(secret);
  });

  test('keeps only the failed rule of a validation, not the validated value', () => {
    const row = { id: 'a', width: 'a prompt\nthat nobody should read' };
    const { issues } = v.safeParse(v.object({ id: v.string(), width: v.number() }), row);
    const { name, message, stack } = new v.ValiError(issues!);
    const written = JSON.stringify({ error: { name, message, stack, issues } }, redact);
    expect(written).toContain('Invalid type: Expected number"');
    expect(written).not.toContain('a prompt');
    expect(written).not.toContain('nobody should read');
    expect(JSON.parse(written).error.stack).toMatch(/^ValiError: Invalid type: Expected number\n/);
  });

  test.each([
    ['a field of the line', (error: unknown) => ({ error })],
    [
      'the cause of another',
      (cause: unknown) => ({ error: new Error('not one of our messages', { cause }) }),
    ],
  ])('keeps the rule and the stack of a validation error that was thrown, as %s', (_, fields) => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      v.parse(v.object({ job_id: v.string() }), { prompt: 'that nobody should read' });
    } catch (error) {
      logger.error('message failed', fields(error));
    }
    const written = String(write.mock.calls[0]?.[0]);
    write.mockRestore();
    expect(written).toContain('Invalid key: Expected \\"job_id\\"');
    expect(written).toContain('redaction.test.ts');
    expect(written).not.toMatch(/nobody should read|undefined"/);
  });
});
