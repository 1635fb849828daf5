import type { Metric } from './metric.ts';

/** What of AWS's own metrics a local run can count, and who counts it in AWS's place. */
const COUNTED_HERE: Readonly<Record<string, { readonly by: string; readonly names: readonly string[] }>> = {
  'AWS/ApiGateway': { by: 'Counted by the local edge', names: ['5XXError', 'Latency'] },
  'AWS/Lambda': { by: 'Counted in the emulator’s logs', names: ['Invocations'] },
  'AWS/SQS': {
    by: 'Asked of the emulator’s queues, while this runs',
    names: ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesDelayed'],
  },
};

/** Ours are lines of the programs' logs, here as there. */
export const isCounted = ({ namespace, name }: Metric): boolean =>
  !namespace.startsWith('AWS/') || COUNTED_HERE[namespace]?.names.includes(name) === true;

/** Undefined where a stage on AWS counts it in the same way. */
export const countedBy = ({ namespace }: Metric): string | undefined => COUNTED_HERE[namespace]?.by;
