import { describe, expect, test } from '@jest/globals';
import type { PlannedChange } from '../../../bin/changes/command.ts';
import type { Deployer, Plan } from '../../../bin/deploy/deployer.ts';
import { fault, ok } from '../../../bin/doctor/finding.ts';
import { readSettings } from '../../../lib/stage/read-settings.ts';
import { LocalRunError } from '../../../local/system/failure.ts';
import { genway } from '../cli/genway.ts';

const change = (action: string, type: string, logicalId: string, replacement?: string): PlannedChange => ({
  action,
  type: `AWS::${type}`,
  logicalId,
  replacement,
});

const UPDATE = [
  change('Add', 'Lambda::Function', 'New'),
  change('Modify', 'Lambda::Function', 'One', 'False'),
  change('Modify', 'Lambda::Function', 'Two', 'False'),
  change('Modify', 'IAM::Role', 'Role', 'False'),
  change('Modify', 'CloudFront::Function', 'Route', 'True'),
  change('Modify', 'Scheduler::Schedule', 'Hourly', 'Conditional'),
  change('Remove', 'SNS::Topic', 'Old'),
];
const LOSS = [
  ...UPDATE,
  change('Remove', 'S3::Bucket', 'Files'),
  change('Modify', 'DynamoDB::GlobalTable', 'Keys', 'True'),
];

interface Given {
  readonly changes?: readonly PlannedChange[];
  readonly isFirst?: boolean;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly answer?: string;
  readonly findings?: readonly ReturnType<typeof ok>[];
  readonly discard?: () => Promise<void>;
  /** Why the preparation ends before its end. */
  readonly stopped?: Error;
  readonly edge?: 'none' | 'cloudfront';
  readonly own?: { hostedZoneId?: string };
}

/** Runs a deployment without an account. @returns how it ended, and what was done */
async function deploy({
  changes = UPDATE,
  isFirst = false,
  args = [],
  answer,
  findings = [ok('stack', 'there')],
  command = ['deploy', '--no-verify'],
  discard = async () => undefined,
  stopped,
  edge = 'none',
  own = {},
}: Given) {
  const did: string[] = [];
  const note = (what: string) => async () => void did.push(what);
  const idle: Plan['idle'] = { parts: [], total: 59.5, rotations: 0, free: 9.9 };
  const deployer: Deployer = {
    config: readSettings('mine', {
      domain: { name: 'api.example.com' },
      edge,
      largeUploads: 'off',
      own,
    }),
    stack: 'Genway-mine',
    region: 'eu-west-1',
    prepare: async () => {
      did.push('prepare');
      if (stopped !== undefined) throw stopped;
      return { isFirst, changes, idle, pricedIn: 'us-east-1' };
    },
    execute: note('execute'),
    publish: async () => 'https://s3.eu-west-1.amazonaws.com/assets/t.json',
    discard: () => note('discard')().then(discard),
    outputs: async () => ({ ApiUrl: 'https://api.example.com/api/v1', EdgeDomain: 'd1.cloudfront.net' }),
    close: () => void did.push('close'),
  };
  const ask = async (question: string) => {
    did.push(question);
    return answer;
  };
  const ran = await genway(
    [...command, '--config', '/a/mine.jsonc', ...args],
    { ask },
    { deployer: async () => deployer, examine: async () => [...findings] },
  );
  return { ...ran, did };
}

const QUESTION = 'Deploy these changes to Genway-mine in eu-west-1? (yes/no) ';

describe('genway deploy', () => {
  test('shows in words what would change and what the stage costs, and where it is then', async () => {
    const { code, out, did } = await deploy({ answer: 'yes' });
    expect([code, did]).toEqual([0, ['prepare', QUESTION, 'execute', 'close']]);
    expect(out).toBe(`ok     stack        there
Adds: 1
     1  AWS::Lambda::Function
Changes in place: 3
     2  AWS::Lambda::Function
     1  AWS::IAM::Role
Replaces: 2
  AWS::CloudFront::Function             Route
  AWS::Scheduler::Schedule              Hourly (may be replaced)
Removes: 1
  AWS::SNS::Topic                       Old
The stage then costs about 59.50 USD a month while it is idle, or 49.60 in an account without other alarms and dashboards, at the prices of us-east-1, because Genway has none for eu-west-1
API      https://api.example.com/api/v1
The DNS record of api.example.com must point to d1.cloudfront.net
To create a management key, run: AWS_REGION=eu-west-1 npx genway admin create-management-key --stack Genway-mine
`);
  });

  test.each([
    ['no', 'Nothing was deployed'],
    ['', 'Nothing was deployed'],
    [undefined, 'Without a terminal, confirm with --yes'],
  ])('deploys nothing after the answer %j, and leaves no change set', async (answer, why) => {
    const { code, err, did } = await deploy(answer === undefined ? {} : { answer });
    expect([code, err]).toEqual([6, expect.stringContaining(why)]);
    expect(did).toEqual(['prepare', QUESTION, 'discard', 'close']);
  });

  test('names no DNS record that the stage creates itself', async () => {
    const own = { hostedZoneId: 'Z0123456789ABC' };
    const { out } = await deploy({ args: ['--yes'], edge: 'cloudfront', own });
    expect(out).toMatch(/API .*\nTo create a management key/);
  });

  test('asks nothing with --yes, and does nothing if nothing changes', async () => {
    expect((await deploy({ args: ['--yes'] })).did).toEqual(['prepare', 'execute', 'close']);
    const unchanged = await deploy({ changes: [] });
    expect(unchanged.did).toEqual(['prepare', 'close']);
    expect(unchanged.out).toMatch(/\nNo changes\nAPI /);
  });

  test('refuses to lose data, even with --yes, unless each resource is named', async () => {
    const refused = await deploy({ changes: LOSS, args: ['--yes', '--allow', 'Keys'] });
    expect([refused.code, refused.did]).toEqual([1, ['prepare', 'discard', 'close']]);
    expect(refused.out.match(/^!!!.*$/gm)).toEqual([
      '!!! DATA AT RISK: Files (AWS::S3::Bucket) would be removed from the stage',
    ]);
    const allowed = await deploy({ changes: LOSS, args: ['--yes', '--allow', 'Keys', 'Files'] });
    expect([allowed.code, allowed.did]).toEqual([0, ['prepare', 'execute', 'close']]);
  });

  test('says why it was refused even if the change set cannot be removed', async () => {
    const discard = async () => Promise.reject(new Error('AccessDenied'));
    const { code, err } = await deploy({ changes: LOSS, args: ['--yes'], discard });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /the empty stack: AccessDenied\nNothing was deployed, because the stage could lose data/,
      ),
    ]);
  });

  test('removes what a preparation that is stopped has made', async () => {
    const { err, did } = await deploy({ stopped: new LocalRunError('The CDK failed') });
    expect([err, did]).toEqual([expect.stringContaining('The CDK failed'), ['prepare', 'discard', 'close']]);
  });

  test('prepares nothing while doctor finds a fault', async () => {
    const { code, err, did } = await deploy({ findings: [fault('bootstrap', 'none')], args: ['--yes'] });
    expect([code, err, did]).toEqual([1, 'Before you deploy /a/mine.jsonc, fix: bootstrap\n', ['close']]);
  });
});

test('genway publish prints what others deploy, and nothing else on stdout', async () => {
  const { code, out, did } = await deploy({ command: ['publish'] });
  expect([code, did]).toEqual([0, ['close']]);
  expect(JSON.parse(out)).toEqual({
    stack_name: 'Genway-mine',
    template_url: 'https://s3.eu-west-1.amazonaws.com/assets/t.json',
  });
});
