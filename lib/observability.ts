import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { AlarmStatusWidget, Dashboard, GraphWidget, Stats, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import type { WorkQueue } from './constructs/queue-consumer.ts';
import { oldestMessage, outcomes, serverErrorShare } from './measures.ts';
import type { StageConfig } from './stage-config.ts';

export interface ObservabilityProps {
  readonly config: StageConfig;
  readonly api: SpecRestApi;
  readonly queues: Readonly<Record<'jobs' | 'copies' | 'events', WorkQueue>>;
}

const JOB_ENDS = ['completed', 'failed', 'moderated', 'cancelled', 'expired'];
const ATTEMPT_ENDS = [
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'timed_out',
  'connection_failed',
  'tls_failed',
  'address_refused',
];

/** One dashboard that says at a glance whether callers are served, jobs end and webhooks arrive. */
export class Observability extends Construct {
  constructor(scope: Construct, id: string, { config, api, queues }: ObservabilityProps) {
    super(scope, id);
    const alarms = new Alarms(this, 'Alarms', { stage: config.name, api, queues });
    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: `Genway-${config.name}` });
    dashboard.addWidgets(
      new TextWidget({
        width: 6,
        height: 4,
        markdown: `# Genway ${config.name}\nWhat to do: \`docs/runbook.md\``,
      }),
      new AlarmStatusWidget({ width: 18, height: 4, title: 'Alarms', alarms: alarms.all }),
    );
    dashboard.addWidgets(
      graph('Requests', [api.metricCount({ statistic: Stats.SUM })]),
      graph('Failures on our side', [serverErrorShare(api)]),
      graph('Latency, ms', [
        api.metricLatency({ statistic: Stats.percentile(50), label: 'p50' }),
        api.metricLatency({ statistic: Stats.percentile(99), label: 'p99' }),
      ]),
    );
    dashboard.addWidgets(
      graph('Ends of jobs, without a copy', outcomes(config.name, 'JobsSettled', 'poll-videos', JOB_ENDS)),
      graph('Ends of copies', outcomes(config.name, 'JobsSettled', 'copy-videos', JOB_ENDS)),
      graph('Webhook attempts', outcomes(config.name, 'WebhookAttempts', 'deliver-events', ATTEMPT_ENDS)),
    );
    dashboard.addWidgets(
      graph('Oldest message, s', Object.values(queues).map(oldestMessage)),
      graph(
        'Dead letters',
        Object.entries(queues).map(([label, { deadLetters }]) =>
          deadLetters.metricApproximateNumberOfMessagesVisible({ label }),
        ),
      ),
    );
  }
}

const graph = (title: string, left: ConstructorParameters<typeof GraphWidget>[0]['left'] & {}) =>
  new GraphWidget({ title, width: 8, height: 6, left });
