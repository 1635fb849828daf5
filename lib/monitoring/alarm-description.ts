import { Aws } from 'aws-cdk-lib';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmRule, dashboardOf } from './alarm-rule.ts';
import { dashboardName } from './measure.ts';
import { queries, savedAs } from './queries.ts';

/**
 * What a notification says: what is wrong, where to look in the AWS console, and the section of the runbook. A mail
 * shows it as plain text, so each link ends its line.
 *
 * @param region one that is not known before the deployment is taken for a commercial one
 */
export const describeAlarm = (rule: AlarmRule, { name, platform }: StageConfig, region: string): string =>
  [
    `${rule.title}.`,
    ...(platform === 'aws' ? placesToLook(rule, name, consoleIn(region)) : []),
    `What to do: docs/runbook.md#${anchorOf(rule.page)}`,
  ].join('\n');

function placesToLook({ page, queue }: AlarmRule, stage: string, host: string): string[] {
  const home = (service: string) => `https://${Aws.REGION}.${host}/${service}/home?region=${Aws.REGION}`;
  const saved = Object.entries(queries).filter(([, query]) => query.page === page);
  const names = saved.map(([name]) => savedAs(stage, name)).join(', ');
  return [
    `Dashboard: ${home('cloudwatch')}#dashboards/dashboard/${dashboardName(stage, dashboardOf[page])}`,
    `Saved queries ${names}: ${home('cloudwatch')}#logsV2:logs-insights`,
    ...(queue === undefined ? [] : [`Queue: ${home('sqs/v3')}#/queues/${encodedUrlOf(queue)}`]),
  ];
}

/** The host of AWS's console: China and GovCloud have their own. */
function consoleIn(region: string): string {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
}

/** Put together here, because CloudFormation cannot encode a queue's URL. */
const encodedUrlOf = (queue: string): string =>
  `https%3A%2F%2Fsqs.${Aws.REGION}.${Aws.URL_SUFFIX}%2F${Aws.ACCOUNT_ID}%2F${queue}`;

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
