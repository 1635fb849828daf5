import { expect, test } from '@jest/globals';
import { resourceEvent } from '../../../local/deployment/deploy.ts';

test.each([
  [
    'CDKToolkit |  2/15 | 6:31:48 AM | CREATE_IN_PROGRESS      | AWS::IAM::Role             | LookupRole ',
    '2/15 AWS::IAM::Role',
  ],
  [
    'Genway-local | 36/44 | 6:33:34 AM | CREATE_COMPLETE | AWS::ApiGateway::Method | Api/Default/{proxy+}/ANY (A1)',
    '36/44 AWS::ApiGateway::Method',
  ],
  ['Genway-local | 1/1 | 6:33:34 AM | CREATE_COMPLETE | Custom::Thing | Thing', undefined],
  ['✨  Synthesis time: 0.02s', undefined],
  ['arn:aws:cloudformation:us-east-1:000000000000:stack/Genway-local/1', undefined],
  ['', undefined],
])('%p shows %p', (line, shown) => {
  expect(resourceEvent(line)).toBe(shown);
});
