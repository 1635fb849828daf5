import type { PlantedBug } from '../planted-bug.ts';

const TRACE = 'functions/broadcast/trace.ts';
const TRACE_TEST = 'test/broadcast/trace.test.ts';

/** Bugs in traces that are sent to a workspace's own destination. */
export const BROADCAST_BUGS: readonly PlantedBug[] = [
  {
    name: 'a trace has the wrong id',
    file: TRACE,
    from: "eventId.slice('msg_'.length)",
    to: 'eventId',
    tests: [TRACE_TEST],
  },
  {
    name: 'a trace is created twice',
    file: TRACE,
    from: 'id: traceIdOf(id),',
    to: 'id: `${traceIdOf(id)}${now.getTime()}`,',
    tests: [TRACE_TEST],
  },
  {
    name: 'a trace that exists gets no message',
    file: TRACE,
    from: 'if (!conditionFailed(error)) throw error;',
    to: 'throw error;\n    void conditionFailed;',
    tests: [TRACE_TEST],
  },
  {
    name: 'a workspace that wants no traces gets them',
    file: TRACE,
    from: ' || !(await isWanted(event.workspace_id))',
    to: '',
    tests: [TRACE_TEST],
  },
  {
    name: 'a test event has a trace',
    file: TRACE,
    from: 'event.job_id === undefined || ',
    to: '',
    tests: [TRACE_TEST],
  },
  {
    name: 'a trace is in the list of deliveries',
    file: TRACE,
    from: 'const { place: _, ...row }',
    to: 'const { ...row }',
    tests: [TRACE_TEST],
  },
  {
    name: 'a destination that was just set is not found',
    file: 'functions/broadcast/destination-store.ts',
    from: ', ConsistentRead: true',
    to: '',
    tests: ['test/broadcast/destination-store.test.ts'],
  },
];
