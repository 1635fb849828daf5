import { always, type PlantedBug } from '../planted-bug.ts';

const SETTLE = 'functions/money/settle-update.ts';
const HOLD = 'functions/money/hold-update.ts';
const LEASE = 'functions/money/lease-update.ts';

/** Bugs in holds, settlements, limits, credits and leases. */
export const MONEY_BUGS: readonly PlantedBug[] = [
  {
    name: 'a hold is not given back',
    file: SETTLE,
    from: "':held': hold.micros",
    to: "':held': 0",
  },
  {
    name: 'a job stays counted as open',
    file: SETTLE,
    from: "'#open_jobs = #open_jobs - :one'",
    to: "'#open_jobs = #open_jobs - :none'",
  },
  {
    name: 'a cost is counted twice',
    file: SETTLE,
    from: "':cost': cost.micros",
    to: "':cost': 2 * cost.micros",
  },
  {
    name: 'the rest of a hold stays committed',
    file: SETTLE,
    from: '(counts(cost, hold) ? cost.micros : 0) - hold.micros',
    to: '0',
  },
  {
    name: 'a cost is counted in any current period',
    file: SETTLE,
    from: 'running.map((interval) => `#${interval}.#period = :${interval}`)',
    to: `running.map((interval) => \`${always('#${interval}.#period = :${interval}')}\`)`,
  },
  {
    name: 'a hold is committed and not reserved',
    file: HOLD,
    from: "'#reserved = if_not_exists(#reserved, :none) + :held'",
    to: "'#reserved = if_not_exists(#reserved, :held)'",
  },
  { name: 'limits are not checked', file: HOLD, from: 'limit.micros - hold.micros', to: '10 ** 12' },
  {
    name: 'a limit is checked before the hold instead of together with it',
    file: HOLD,
    from: '[`#${interval}.#committed <= :${interval}_room`]',
    to: `[\`${always('#${interval}.#committed <= :${interval}_room')}\`]`,
  },
  {
    name: 'a hold is counted in any current period',
    file: HOLD,
    from: '      `#${interval}.#period = :${interval}_period`,',
    to: `      \`${always('#${interval}.#period = :${interval}_period')}\`,`,
    tests: ['test/money/hold.test.ts'],
  },
  {
    name: 'a new period is begun twice',
    file: HOLD,
    from: '(attribute_not_exists(#${interval}) OR #${interval}.#period < :${interval}_period)',
    to: '(attribute_not_exists(#${interval}) OR #${interval}.#period <= :${interval}_period)',
    tests: ['test/money/hold.test.ts'],
  },
  {
    name: 'a hold ignores a change of limits',
    file: HOLD,
    from: "versionIsKnown ? '#limits_version = :limits_version' :",
    to: `versionIsKnown ? '${always('#limits_version = :limits_version')}' :`,
    tests: ['test/money/account-store.test.ts'],
  },
  {
    name: 'a closed account spends',
    file: HOLD,
    from: "'NOT #closed = :true AND NOT #closes_at <= :now'",
    to: `'${always('(#closed = :true AND #closes_at <= :now)')}'`,
    tests: ['test/money/account-store.test.ts'],
  },
  {
    name: 'two changes of limits overwrite each other',
    file: 'functions/money/limits.ts',
    from: "isFirst ? 'attribute_not_exists(#limits_version)' : '#limits_version = :limits_version'",
    to: `isFirst ? 'attribute_not_exists(#limits_version)' : '${always('#limits_version = :limits_version')}'`,
    tests: ['test/budgets/change-budget.test.ts', 'test/credits/grant.test.ts'],
  },
  {
    name: 'a lease gives away what its jobs hold',
    file: LEASE,
    from: "'(attribute_not_exists(#lifetime) OR #lifetime.#committed <= :micros)'",
    to: `'${always('(attribute_not_exists(#lifetime) OR #lifetime.#committed <= :micros)')}'`,
    tests: ['test/money/lease-update.test.ts'],
  },
  {
    name: 'the pool lends what it does not have',
    file: LEASE,
    from: "isCounted ? '#lifetime.#committed <= :room' :",
    to: `isCounted ? '${always('#lifetime.#committed <= :room')}' :`,
    tests: ['test/money/lease-update.test.ts'],
  },
  {
    name: 'the amount that a lease has spent is lost at its end',
    file: LEASE,
    from: 'leased: minus(micros(0), lentTo(lease)), spent, byok }',
    to: 'leased: minus(micros(0), lentTo(lease)), spent: micros(0), byok }',
  },
  {
    name: 'a lease ends while a job begins on it',
    file: LEASE,
    from: "hasMoved ? '#moves = :moves' :",
    to: `hasMoved ? '${always('#moves = :moves')}' :`,
    tests: ['test/money/leases.thorough.test.ts', 'test/reconciling/return-leases.test.ts'],
  },
  {
    name: 'a correction uses amounts from before a job began',
    file: 'functions/money/correction.ts',
    from: "isNew ? 'attribute_not_exists(#moves)' : '#moves = :moves'",
    to: `isNew ? 'attribute_not_exists(#moves)' : '${always('#moves = :moves')}'`,
    tests: ['test/money/account-store.test.ts'],
  },
  {
    name: 'less is held than the most expensive endpoint costs',
    file: 'functions/money/hold.ts',
    from: 'most(micros(0), ...counted.map((charge) => charge.micros))',
    to: 'counted.at(-1)?.micros ?? micros(0)',
    tests: ['test/money/plan-holds.test.ts'],
  },
  {
    name: 'a week begins on Sunday',
    file: 'functions/money/period.ts',
    from: '(at.getUTCDay() + 6) % 7',
    to: 'at.getUTCDay()',
    tests: ['test/money/period.test.ts'],
  },
  {
    name: 'a discount is rounded for the deployer',
    file: 'functions/money/discount.ts',
    from: 'parts - (parts % TEN_THOUSAND)',
    to: 'parts - (parts % TEN_THOUSAND) + TEN_THOUSAND',
    tests: ['test/money/discount.test.ts'],
  },
  {
    name: 'a lease is planned with credits that the pool has lent already',
    file: 'functions/money/lease.ts',
    from: 'const left = unused(pool);\n  if (left >= lacking) {',
    to: 'const left = lentTo(pool);\n  if (left >= lacking) {',
    tests: ['test/money/leases.test.ts', 'test/money/leases.thorough.test.ts'],
  },
];
