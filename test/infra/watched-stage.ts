import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
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
  queues: {
    jobs: { name: 'jobs', deadLetters: 'jobs-dead', hiddenSeconds: 360 },
    copies: { name: 'copies', deadLetters: 'copies-dead', hiddenSeconds: 5400 },
  },
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

const madeSchema = v.union([
  v.pipe(
    v.object({ Ref: v.string() }),
    v.transform(({ Ref }) => Ref),
  ),
  v.pipe(
    v.object({ 'Fn::GetAtt': v.tupleWithRest([v.string()], v.string()) }),
    v.transform((attribute) => attribute['Fn::GetAtt'][0]),
  ),
]);

/** The logical id of the resource that a value refers to. */
export function madeId(value: unknown): string | undefined {
  const made = v.safeParse(madeSchema, value);
  return made.success ? made.output : undefined;
}

/** A text as CloudFormation puts it together, with the ids of resources in the places of their names. */
export const joinedSchema = v.pipe(
  v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) }),
  v.transform((text) =>
    text['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : (madeId(part) ?? 'x'))).join(''),
  ),
);

const alarmSchema = v.object({ AlarmDescription: v.union([v.string(), joinedSchema]) });

/** The alarms of a template, with their ids and descriptions. */
export const alarmsOf = (template: Template) =>
  [
    ...Object.entries(template.findResources('AWS::CloudWatch::Alarm')),
    ...Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm')),
  ].map(([id, { Properties }]) => ({ id, ...v.parse(alarmSchema, Properties) }));
