import { Aws } from 'aws-cdk-lib';
import type { StageConfig } from '../stage-config.ts';
import { type AlarmRule, dashboardOf } from './alarm-rule.ts';
import { dashboardName } from './measure.ts';
import { queries, savedAs } from './queries.ts';

/**
 * What a notification says: what is wrong, where to look in the AWS console, and the section of the runbook. A mail
 * shows it as plain text, so each link ends its line.
 */
export const describeAlarm = (rule: AlarmRule, { name, platform }: StageConfig): string =>
  [
    `${rule.title}.`,
    ...(platform === 'aws' ? placesToLook(rule, name) : []),
    `What to do: docs/runbook.md#${anchorOf(rule.page)}`,
  ].join('\n');

function placesToLook({ page, queue }: AlarmRule, stage: string): string[] {
  const saved = Object.entries(queries).filter(([, query]) => query.page === page);
  const names = saved.map(([name]) => savedAs(stage, name)).join(', ');
  return [
    `Dashboard: ${cloudWatch}#dashboards/dashboard/${dashboardName(stage, dashboardOf[page])}`,
    `Saved queries ${names}: ${cloudWatch}#logsV2:logs-insights`,
    ...(queue === undefined ? [] : [`Queue: ${home('sqs/v3')}#/queues/${encodedUrlOf(queue)}`]),
  ];
}

/** The console's address in AWS's commercial regions. China and GovCloud have others. */
const home = (service: string): string =>
  `https://${Aws.REGION}.console.aws.amazon.com/${service}/home?region=${Aws.REGION}`;

const cloudWatch = home('cloudwatch');

/** Put together here, because CloudFormation cannot encode a queue's URL. */
const encodedUrlOf = (queue: string): string =>
  `https%3A%2F%2Fsqs.${Aws.REGION}.${Aws.URL_SUFFIX}%2F${Aws.ACCOUNT_ID}%2F${queue}`;

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
