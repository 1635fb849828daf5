import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ownMetrics } from '../../functions/telemetry/own-metrics.ts';
import { rolesOf } from './roles.ts';
import { synthesize, synthesizePart, synthesizeWatch } from './template.ts';

const prod = await synthesize('prod');
const watch = await synthesizeWatch('prod');
const atOnce = await synthesize('dev');

const aliases = Object.keys(prod.findResources('AWS::Lambda::Alias'));

describe('a gradual deployment of new code', () => {
  test('is on in prod, within CloudFormation’s 500 resources, and docs/deploy.md counts them', async () => {
    const logs = await synthesizePart('Logs', 'prod');
    const [all = 0, watched, groups] = [prod, watch, logs].map(
      (template) => Object.keys(template.toJSON().Resources).length,
    );
    expect(all).toBeLessThan(450);
    const page = readFileSync('docs/deploy.md', 'utf8');
    const told = [
      `\`prod\` has ${all},`,
      `saved queries, ${watched}.`,
      `| ${groups} log groups that are created`,
    ];
    expect(told.filter((count) => !page.includes(count))).toEqual([]);
  });

  test('covers the busiest endpoints and every worker behind a queue', () => {
    const groups = Object.values(prod.findResources('AWS::Lambda::Alias')).map(({ Properties }) =>
      JSON.stringify(Properties.FunctionName),
    );
    for (const name of [
      'submitvideo',
      'getvideo',
      'uploadfile',
      'Submitter',
      'Poller',
      'Copier',
      'Deliverer',
    ]) {
      expect(groups.filter((group) => group.includes(name))).toHaveLength(1);
    }
  });

  test('gives it a tenth of the calls for five minutes, and any of its alarms rolls it back', () => {
    const groups = Object.values(prod.findResources('AWS::CodeDeploy::DeploymentGroup'));
    expect(groups).toHaveLength(aliases.length);
    for (const { Properties } of groups) {
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(Properties.AlarmConfiguration).toMatchObject({ Enabled: true });
      expect(Properties.AlarmConfiguration.Alarms.length).toBeGreaterThan(2);
      expect(Properties.AutoRollbackConfiguration).toMatchObject({
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']),
      });
    }
  });

  test('of a busy endpoint is taken back by that endpoint’s own failures, which the API’s share would hide', () => {
    const watched = Object.values(watch.findResources('AWS::CloudWatch::Alarm'))
      .map(({ Properties }) => Properties)
      .filter(({ MetricName }) => MetricName === 'EndpointFailures');
    expect(watched.map(({ Dimensions }) => Dimensions[0].Value).toSorted()).toEqual(
      ownMetrics.EndpointFailures.route.toSorted(),
    );
    for (const { Namespace, Statistic, Threshold, Dimensions } of watched) {
      expect({ Namespace, Statistic }).toEqual({ Namespace: 'Genway/prod', Statistic: 'Average' });
      expect(Dimensions[1]).toEqual({ Name: 'service', Value: 'genway' });
      // The new code gets a tenth of the calls, so it can cause no larger share.
      expect(Threshold).toBeLessThan(0.1);
    }
    const guarded = Object.values(prod.findResources('AWS::CodeDeploy::DeploymentGroup')).filter(
      ({ Properties }) => Properties.AlarmConfiguration.Alarms.length === 4,
    );
    expect(guarded).toHaveLength(watched.length);
  });

  test('sends calls only to its alias: from API Gateway, from the queues and from a table', () => {
    const sources = Object.values(prod.findResources('AWS::Lambda::EventSourceMapping'));
    expect(sources).toHaveLength(6);
    for (const { Properties } of sources) {
      const name = JSON.stringify(Properties.FunctionName);
      expect(aliases.filter((alias) => name.includes(alias))).toHaveLength(1);
    }
    const [api] = Object.values(prod.findResources('AWS::ApiGateway::RestApi'));
    const [, ids = ''] =
      /"Ref":"(RestApisubmitvideo\w*Live\w*)"/.exec(JSON.stringify(api?.Properties.Body)) ?? [];
    expect(aliases).toContain(ids);
    const called = JSON.stringify([...rolesOf(prod)].filter(([id]) => id.includes('Invoker')));
    for (const id of aliases.filter((alias) => alias.startsWith('RestApi'))) {
      expect(called).toContain(`{"Ref":"${id}"}`);
    }
  });

  test('is a setting: without it the template has no part of it', () => {
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup']) {
      atOnce.resourceCountIs(type, 0);
    }
  });
});

test('requests are traced if the stage says so, from API Gateway through every function', async () => {
  const traced = await synthesize('dev', { tracing: true });
  traced.allResourcesProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
  const ours = Object.values(traced.findResources('AWS::Lambda::Function')).filter(
    ({ Properties }) => Properties.Environment?.Variables.POWERTOOLS_SERVICE_NAME !== undefined,
  );
  for (const { Properties } of ours) expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
  expect(JSON.stringify(prod.findResources('AWS::Lambda::Function'))).not.toContain('TracingConfig');
});
