import type { Metric } from './metric.ts';

/** AWS's own metrics that a local run can count, and who counts them instead of AWS. */
const COUNTED_HERE: Readonly<Record<string, { readonly by: string; readonly names: readonly string[] }>> = {
  'AWS/ApiGateway': { by: 'Counted by the local edge', names: ['5XXError', 'Latency'] },
  'AWS/Lambda': { by: 'Counted in the emulator’s logs', names: ['Invocations'] },
  'AWS/SQS': {
    by: 'Read from the emulator’s queues, while this runs',
    names: ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesDelayed'],
  },
};

/** Our own metrics are lines of the programs' logs, locally and on AWS. */
export const isCounted = ({ namespace, name }: Metric): boolean =>
  !namespace.startsWith('AWS/') || COUNTED_HERE[namespace]?.names.includes(name) === true;

/** Who counts the metric here. Undefined if a stage on AWS counts it in the same way. */
export const countedBy = ({ namespace }: Metric): string | undefined => COUNTED_HERE[namespace]?.by;
