import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';

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

export const isPart = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.startsWith('A part of');

/** Whether an alarm notifies somebody by itself. */
export const isWhole = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.includes('What to do');
