import { expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { readPassingSettings, warnOfPassingSettings } from '../../lib/genway-stack.ts';

test('settings of one deployment are a JSON object, or none', () => {
  expect(readPassingSettings('{"resultDays":7}')).toEqual({ resultDays: 7 });
  expect(readPassingSettings(undefined)).toEqual({});
  for (const wrong of ['resultDays=7', '[1', '7', 7]) {
    expect(() => readPassingSettings(wrong)).toThrow('must be a JSON object');
  }
});

/** What the CDK's CLI prints for a stack. */
function toldOf(names: readonly string[]): unknown[] {
  const stack = new Stack(new App());
  warnOfPassingSettings(stack, 'config/stages/dev.json', names);
  return stack.node.metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => data);
}

test('a deployment warns that they are temporary, and says where to keep them', () => {
  expect(toldOf(['resultDays', 'wireNames'])).toEqual([
    expect.stringMatching(/^resultDays, wireNames.*ONLY FOR THIS DEPLOYMENT.*config\/stages\/dev.json/),
  ]);
});

test('without such settings it prints no warning', () => {
  expect(toldOf([])).toEqual([]);
});
