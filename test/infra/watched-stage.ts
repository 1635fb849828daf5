import { alarmRules } from '../../lib/monitoring/alarm-rules.ts';
import type { Plant } from '../../lib/monitoring/measures.ts';
import { synthesize, synthesizeWatch } from './template.ts';

const alarms = {
  page: ['on-call@example.com', 'https://example.com/page'],
  ticket: ['arn:aws:sns:eu-central-1:123456789012:tickets'],
};
const videos = { providers: { sandbox: { credential: 'workspace' as const } }, models: [] };

/** A stage that tells people of its alarms: its template, and that of its alarms and dashboards. */
export const watchedStage = async () => ({
  prod: await synthesize('prod', { alarms, videos }),
  watch: await synthesizeWatch('prod', { alarms, videos }),
});

/** A stage with every part. All names are invented. */
export const plant: Plant = {
  stage: 'prod',
  api: 'Genway-prod',
  queues: { jobs: { name: 'jobs', deadLetters: 'jobs-dead' } },
  consumers: { 'poll-videos': 'poller' },
  sweepers: { 'sweep-jobs': 'sweeper' },
  hourly: [],
  hasCanary: true,
  uploader: 'uploader',
  tables: { jobs: 'jobs' },
  providers: ['sandbox'],
  uploadServer: { loadBalancer: 'app/x/1', targetGroup: 'targetgroup/x/1', cluster: 'c', service: 's' },
};

export const rules = alarmRules(plant);
