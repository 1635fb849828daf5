export interface Area {
  readonly sources: string;
  /** The fast tests that must find the area's faults, quickest first. */
  readonly tests: readonly string[];
}

/** The areas that `npm run mutate -- <area>` accepts. */
export const AREAS: Readonly<Record<string, Area>> = {
  money: {
    sources: 'functions/money/*.ts',
    tests: [
      'test/money/{account,account-book,discount,hold,lease,micros,most-unused,period,plan-holds}.test.ts',
      'test/money/{lease-lists,lease-store,lease-update,account-store,activity,whole-credits}.test.ts',
    ],
  },
  idempotency: { sources: 'functions/gate/answer-once.ts', tests: ['test/gate/*.test.ts'] },
  limits: {
    sources: 'functions/gate/{bucket-store,rate-limiter}.ts',
    tests: ['test/gate/{bucket,bucket-store,rate-limiter}.test.ts'],
  },
  gate: { sources: 'functions/gate/*.ts', tests: ['test/gate/*.test.ts'] },
  jobs: {
    sources: 'functions/videos/jobs/*.ts',
    tests: [
      'test/videos/jobs/{failure-kind,find-job,generation-id,new-job,next-*,poison,re*,sa*}.test.ts',
      'test/videos/jobs/job-{activity,failure,listing,machine,queries,queue,request,view}.test.ts',
      // The thorough test of lists takes minutes here.
      'test/videos/jobs/!(*.thorough).test.ts',
    ],
  },
  workers: { sources: 'functions/videos/worker/*.ts', tests: ['test/videos/worker/*.test.ts'] },
  deliveries: {
    sources: 'functions/webhooks/**/*.ts',
    tests: ['test/webhooks/**/*.test.ts'],
  },
  keys: {
    sources: 'functions/keys/*.ts',
    tests: [
      'test/keys/*.test.ts',
      'test/gate/authentication.test.ts',
      'test/guardrails/change-guardrail.test.ts',
    ],
  },
  downloads: {
    sources: 'functions/downloads/*.ts',
    tests: ['test/downloads/*.test.ts'],
  },
  egress: { sources: 'functions/egress/*.ts', tests: ['test/egress/*.test.ts'] },
  uploads: {
    sources: 'functions/files/upload/**/*.ts',
    // The thorough ones send bodies of 100 MB.
    tests: ['test/files/upload/!(*.thorough).test.ts'],
  },
};
