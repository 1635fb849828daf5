import { always, type PlantedBug } from '../planted-bug.ts';

const DELIVER = 'functions/webhooks/delivery/deliver-event.ts';
const JUDGE = 'functions/webhooks/delivery/judge-answer.ts';
const EVENTS = 'functions/webhooks/events/event-store.ts';
const LANES = 'functions/webhooks/delivery/lane-store.ts';
const SIGN = 'functions/webhooks/signature.ts';

/** Bugs in events: their delivery, schedule, signatures and fair shares. */
export const WEBHOOK_BUGS: readonly PlantedBug[] = [
  {
    name: 'webhooks are not signed',
    file: SIGN,
    from: "createHmac('sha256', secret)",
    to: "createHmac('sha256', 'a secret')",
  },
  {
    name: 'a signature does not cover the time',
    file: SIGN,
    from: '`${id}.${timestamp}.${body}`',
    to: '`${id}.${body}`',
  },
  {
    name: 'all workspaces have one secret',
    file: 'functions/webhooks/signature.ts',
    from: '`webhook-secret/${workspaceId}/${version}`',
    to: '`webhook-secret/${version}`',
  },
  {
    name: 'the previous secret signs for ever',
    file: 'functions/webhooks/signature.ts',
    from: 'now.getTime() < until ? [version, version - 1] : [version]',
    to: '[version, version - 1]',
    tests: ['test/webhooks/signing-secrets.test.ts'],
  },
  {
    name: 'the previous secret stops signing at once',
    file: 'functions/webhooks/signature.ts',
    from: 'now.getTime() < until ? [version, version - 1] : [version]',
    to: '[version]',
    tests: ['test/webhooks/signing-secrets.test.ts'],
  },
  {
    name: 'a redirect counts as a delivery',
    file: JUDGE,
    from: 'status >= 200 && status < 300',
    to: 'status >= 200 && status < 400',
  },
  {
    name: 'an event is lost after one failure',
    file: JUDGE,
    from: 'return retry(nextDelay(attempt, asked, random));',
    to: 'return lost(false);',
  },
  {
    name: 'a receiver that answers 410 is asked again',
    file: JUDGE,
    from: 'if (status === 410) return lost(true);',
    to: '',
    tests: ['test/webhooks/delivery/judge-answer.test.ts'],
  },
  {
    name: 'a receiver’s wish for a longer pause is ignored',
    file: 'functions/webhooks/delivery/judge-answer.ts',
    from: 'Math.max(jittered, Math.min(retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER))',
    to: 'jittered',
    tests: ['test/webhooks/delivery/retry-schedule.test.ts'],
  },
  {
    name: 'no message follows a failed attempt',
    file: DELIVER,
    from: 'await ports.queue.send(next, event.workspace_id, Math.ceil(delaySeconds));',
    to: '',
    tests: ['test/webhooks/delivery/deliver-event.test.ts'],
  },
  {
    name: 'an ended event is delivered again',
    file: DELIVER,
    from: "event.status !== 'pending' || message.attempt !== event.attempts + 1",
    to: 'message.attempt < event.attempts',
    tests: ['test/webhooks/delivery/deliver-event.test.ts'],
  },
  {
    name: 'two workers make one attempt',
    file: DELIVER,
    from: 'if (event.lease_until > ports.now().getTime()) return;',
    to: '',
    tests: ['test/webhooks/delivery/deliver-event.test.ts'],
  },
  {
    name: 'a worker records an attempt although it has lost the lease',
    file: EVENTS,
    from: '`attempts = :attempts AND #status = :pending AND ${condition}`',
    to: `\`${always('(attempts = :attempts AND #status = :pending AND ${condition})')}\``,
    tests: ['test/webhooks/events/event-store.test.ts'],
  },
  {
    name: 'an event is restarted while an attempt is under way',
    file: EVENTS,
    from: "'attempts = :attempts AND lease_until <= :now'",
    to: `'attempts = :attempts AND ${always('lease_until <= :now')}'`,
    tests: ['test/webhooks/events/event-store.test.ts'],
  },
  {
    name: 'the sweeper of events sends nothing',
    file: 'functions/webhooks/events/sweep-event.ts',
    from: 'await queue.send({ v: 1, event_id: id, attempt: attempts + 1 }, workspace_id, 0);',
    to: '',
    tests: ['test/webhooks/events/sweep-event.test.ts'],
  },
  {
    name: 'a workspace occupies all deliverers',
    file: LANES,
    from: 'size(holders) < :of_workspace)',
    to: 'size(holders) < :of_workspace OR size(holders) >= :of_workspace)',
    tests: ['test/webhooks/delivery/lane-store.test.ts'],
  },
  {
    name: 'a host occupies all places of its workspace',
    file: LANES,
    from: 'size(#host) < :of_host)',
    to: 'size(#host) < :of_host OR size(#host) >= :of_host)',
    tests: ['test/webhooks/delivery/lane-store.test.ts'],
  },
  {
    name: 'lanes are shared by workspaces',
    file: LANES,
    from: '({ id: `LANE#${workspaceId}` })',
    to: '({ id: `LANE#${workspaceId.length}` })',
    tests: ['test/webhooks/delivery/lane-store.test.ts'],
  },
  {
    name: 'an event is written over another',
    file: EVENTS,
    from: "'attribute_not_exists(id)'",
    to: `'${always('attribute_not_exists(id)')}'`,
    tests: ['test/webhooks/events/event-store.test.ts', 'test/broadcast/trace.test.ts'],
  },
  {
    name: 'the worker of an earlier chain moves an event',
    file: EVENTS,
    from: "'lease_until = :lease AND chain_start = :chain_start'",
    to: `'lease_until = :lease AND ${always('chain_start = :chain_start')}'`,
    tests: ['test/webhooks/events/event-store.test.ts'],
  },
  {
    name: 'a redelivery counts the refusals of the chain before',
    file: EVENTS,
    from: 'refusals: 0,',
    to: '',
    tests: ['test/webhooks/events/event-store.test.ts'],
  },
  {
    name: 'a redelivery counts the waits of the chain before',
    file: EVENTS,
    from: 'waits: 0,',
    to: '',
    tests: ['test/webhooks/events/event-store.test.ts'],
  },
];
