import { always, type PlantedBug } from '../planted-bug.ts';

const RECONCILE = 'functions/reconciling/reconcile.ts';
const LISTS = 'functions/lists/list-rows.ts';

/** Bugs in what all areas share: calls to AWS, lists, the reconciler. And in what leaves the deployment. */
export const SHARED_BUGS: readonly PlantedBug[] = [
  {
    name: 'rows that a batch leaves unread are lost',
    file: 'functions/aws/batch-get.ts',
    from: 'left = UnprocessedKeys;',
    to: 'left = undefined;\n    void UnprocessedKeys;',
    tests: ['test/aws/batch-get.test.ts'],
  },
  {
    name: 'a page that is not full is the last one',
    file: 'functions/aws/read-page.ts',
    from: 'return page(found.length, start);',
    to: 'return page(found.length, undefined);',
    tests: ['test/aws/read-page.test.ts'],
  },
  {
    name: 'a page skips the row behind it',
    file: 'functions/aws/read-page.ts',
    from: 'if (found.length > limit) return page(limit, found[limit - 1]);',
    to: 'if (found.length > limit) return page(limit, found[limit]);',
    tests: ['test/aws/read-page.test.ts'],
  },
  {
    name: 'all messages are in one group',
    file: 'functions/aws/fair-queue.ts',
    from: 'MessageGroupId: group',
    to: "MessageGroupId: `all${''.repeat(group.length)}`",
    tests: ['test/aws/fair-queue.test.ts'],
  },
  {
    name: 'an object is completed before its last part is stored',
    file: 'functions/aws/object-upload/object-upload.ts',
    from: 'await Promise.all(this.#inFlight);\n    this.#throwFailure();\n    await this.#multipart.complete();',
    to: 'await this.#multipart.complete();',
    tests: ['test/aws/object-upload/object-upload.test.ts'],
  },
  {
    name: 'parts are listed in the order of their arrival',
    file: 'functions/aws/object-upload/multipart-upload.ts',
    from: 'this.#listed[number - 1] =',
    to: 'this.#listed[this.#listed.length] =',
    tests: ['test/aws/object-upload/object-upload.test.ts'],
  },
  {
    name: 'two changes of a list overwrite each other',
    file: LISTS,
    from: "'attribute_not_exists(#list)' : '#version = :read'",
    to: `'attribute_not_exists(#list)' : '${always('#version = :read')}'`,
    tests: ['test/lists/list-store.test.ts'],
  },
  {
    name: 'the reconciler looks once',
    file: RECONCILE,
    from: 'suspects.length === 0 ? [] : await secondLook(audit, suspects, ports)',
    to: 'suspects',
    tests: ['test/reconciling/reconcile.test.ts'],
  },
  {
    name: 'the reconciler begins anew in each run',
    file: RECONCILE,
    from: 'await ports.cursors.save(next);',
    to: 'await ports.cursors.save(undefined);\n  void next;',
    tests: ['test/reconciling/reconcile.test.ts'],
  },
  {
    name: 'the reconciler tells the end of a job that has moved on',
    file: 'functions/reconciling/job-audit.ts',
    from: "'#phase = :settled AND #status = :status'",
    to: `'${always('(#phase = :settled AND #status = :status)')}'`,
    tests: ['test/reconciling/row-audits.test.ts'],
  },
  {
    name: 'the holds of ended jobs count as open',
    file: 'functions/reconciling/open-holds.ts',
    from: " && phase !== 'settled'",
    to: '',
    tests: ['test/reconciling/row-audits.test.ts'],
  },
  {
    name: 'a lease that was just lent is called back',
    file: 'functions/reconciling/return-leases.ts',
    from: "(limits.lifetime?.updated_at ?? '') < idleSince",
    to: "(limits.lifetime?.updated_at ?? '') !== idleSince",
    tests: ['test/reconciling/return-leases.test.ts'],
  },
  {
    name: 'a connection that broke counts as never made',
    file: 'functions/videos/providers/kit/http-exchange.ts',
    from: "'ECONNREFUSED',",
    to: "'ECONNREFUSED',\n  'ECONNRESET',",
    tests: ['test/videos/providers/kit/vendor-api.test.ts'],
  },
  {
    name: 'a provider that bills each submit gets one twice',
    file: 'functions/videos/providers/fal.ts',
    from: "resubmit: 'none'",
    to: "resubmit: 'token'",
    tests: ['test/videos/providers/resubmit.test.ts'],
  },
  {
    name: 'a job on its workspace’s key runs on the shared one',
    file: 'functions/videos/worker/provider-contexts.ts',
    from: "settings.credential === 'shared' && !job.is_byok",
    to: "settings.credential === 'shared'",
    tests: ['test/videos/worker/provider-contexts.test.ts'],
  },
  {
    name: 'results that are gone have links',
    file: 'functions/videos/results/result-links.ts',
    from: ' || isGone(job, now)',
    to: '',
    tests: ['test/videos/results/result-links.test.ts'],
  },
  {
    name: 'a request to cancel is dated anew',
    file: 'functions/videos/jobs/job-store.ts',
    from: 'if_not_exists(#asked, :now)',
    to: ':now',
    tests: ['test/videos/jobs/job-steps.test.ts'],
  },
];
