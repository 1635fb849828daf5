import { expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { judgeAlarms } from '../../../bin/doctor/checks.ts';
import { silentAlarms, warnOfSilentAlarms } from '../../../lib/stage/silent-alarms.ts';

const page = ['on-call@example.com'];
const ticket = ['https://example.com/tickets'];

test.each([
  ['retain', { page, ticket }, []],
  ['retain', { page, ticket: [] }, ['ticket']],
  ['retain', { page: [], ticket }, ['page']],
  ['retain', { page: [], ticket: [] }, ['page', 'ticket']],
  ['destroy', { page: [], ticket: [] }, []],
] as const)('a stage with data to %s and alarms %j tells nobody of %j', (data, { page, ticket }, silent) => {
  const config = { name: 'prod', data, alarms: { page: [...page], ticket: [...ticket] } };
  expect(silentAlarms(config)).toEqual(silent);

  const stack = new Stack(new App());
  warnOfSilentAlarms(stack, config);
  const warned = stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => data);
  expect(warned).toEqual(silent.length === 0 ? [] : [expect.stringContaining('alarms.')]);

  const found = judgeAlarms(config);
  expect(found).toMatchObject({ about: 'alarms', kind: silent.length === 0 ? 'ok' : 'note' });
  for (const severity of silent) expect([...warned, found.text].join(' ')).toContain(severity);
});
