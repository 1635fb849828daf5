/** A small fault that makes no difference to anybody, so that no test can find it. */
export interface EquivalentFault {
  readonly file: string;
  /** The line that it is in, without its indentation. */
  readonly line: string;
  /** The line after it, if the file has the same line in several places. */
  readonly next?: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** `npm run mutate` leaves these out. */
export const EQUIVALENT_FAULTS: readonly EquivalentFault[] = [
  {
    file: 'functions/egress/public-address.ts',
    line: "return family === 6 && globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');",
    from: "'ipv6'",
    to: "''",
    why: 'Node.js takes every family but ipv4 for ipv6.',
  },
  {
    file: 'functions/gate/rate-limit/bucket-store.ts',
    line: 'const remembered = this.#seen.get(id) ?? 0;',
    from: '0',
    to: '1',
    why: 'A microsecond after 1970 is as long ago.',
  },
  {
    file: 'functions/gate/rate-limit/bucket-store.ts',
    line: 'const seen = remembered > latestPlausible(now) ? 0 : remembered;',
    from: '0',
    to: '1',
    why: 'A microsecond after 1970 is as long ago.',
  },
  {
    file: 'functions/gate/rate-limit/bucket-store.ts',
    line: 'const fullAt = error.Item === undefined ? 0 : v.parse(refusedItemSchema, error.Item).full_at;',
    from: '0',
    to: '1',
    why: 'A microsecond after 1970 is as long ago.',
  },
  {
    file: 'functions/egress/guarded-connector.ts',
    line: "if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);",
    from: "''",
    to: "'mutated'",
    why: 'Neither text is an address.',
  },
  {
    file: 'functions/egress/guarded-connector.ts',
    line: "return callback(notPublic(), '');",
    from: "''",
    to: "'mutated'",
    why: 'Nobody reads the address beside an error.',
  },
  {
    file: 'functions/egress/guarded-connector.ts',
    line: "(error) => callback(error, ''),",
    from: "''",
    to: "'mutated'",
    why: 'Nobody reads the address beside an error.',
  },
  {
    file: 'functions/webhooks/delivery/deliver-event.ts',
    line: "const verdict = destination.judge({ failure: 'connection_failed' }, { attempt, refusals: 0 }, ports.random);",
    from: "'connection_failed'",
    to: "''",
    why: 'Both are tried again by the schedule.',
  },
  {
    file: 'functions/webhooks/delivery/deliver-event.ts',
    line: "const verdict = destination.judge({ failure: 'connection_failed' }, { attempt, refusals: 0 }, ports.random);",
    from: '0',
    to: '1',
    why: 'Earlier refusals count for a refused address or certificate alone.',
  },
  {
    file: 'functions/webhooks/delivery/failure-of.ts',
    line: "if (!('code' in cause) || typeof cause.code !== 'string') continue;",
    from: "!('code' in cause) || typeof cause.code !== 'string'",
    to: 'false',
    why: 'A code that is no text matches no name of a problem.',
  },
  {
    file: 'functions/webhooks/delivery/failure-of.ts',
    line: "if (!('code' in cause) || typeof cause.code !== 'string') continue;",
    from: "!('code' in cause) || typeof cause.code !== 'string'",
    to: "(!('code' in cause)) && (typeof cause.code !== 'string')",
    why: 'A code that is no text matches no name of a problem.',
  },
  {
    file: 'functions/webhooks/delivery/failure-of.ts',
    line: "const causeOf = (error: object): unknown => ('cause' in error ? error.cause : undefined);",
    from: "'cause' in error",
    to: 'true',
    why: 'Without a cause it is undefined all the same.',
  },
  {
    file: 'functions/webhooks/delivery/lane-store.ts',
    line: "const byHost = [...Map.groupBy(holders, (holder) => holder.split(' ')[2] ?? '')];",
    from: "''",
    to: "'mutated'",
    why: 'Every holder has three words.',
  },
  {
    file: 'functions/webhooks/delivery/retry-schedule.ts',
    line: 'return Math.max(jittered, Math.min(retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER));',
    from: '0',
    to: '1',
    why: 'No wait after an attempt is as short as a second.',
  },
  {
    file: 'functions/webhooks/events/event-list.ts',
    line: `from: after === undefined || after < begin ? begin : \`\${after}~\`,`,
    from: 'after < begin',
    to: '(after) <= (begin)',
    why: 'A place is longer than a moment, so they never are the same.',
  },
  {
    file: 'functions/keys/key-uses.ts',
    line: 'const known = Math.max(this.#tried.get(hash) ?? 0, stored === null ? 0 : Date.parse(stored));',
    from: '0',
    to: '1',
    why: 'A millisecond after 1970 is as long ago.',
  },
  {
    file: 'functions/keys/rotate-key.ts',
    line: 'const isSooner = old.expires_at === null || end < old.expires_at;',
    from: 'end < old.expires_at',
    to: '(end) <= (old.expires_at)',
    why: 'Both ends are the same then.',
  },
  {
    file: 'functions/keys/key-lives.ts',
    line: 'const disabled = change.disabled ?? before?.disabled ?? false;',
    from: 'false',
    to: 'true',
    why: 'It is asked only where the key was read.',
  },
  {
    file: 'functions/keys/key-lives.ts',
    line: "if (refusedBy(error, 'account')) return 'account moved';",
    from: "'account moved'",
    to: "''",
    why: 'Nobody asks for this outcome by its name.',
  },
  {
    file: 'functions/keys/key-lives.ts',
    line: 'if (key === undefined) throw new KeyMissing(hash);',
    from: 'key === undefined',
    to: 'false',
    why: 'The write, which needs the key, then finds that it is missing.',
  },
  {
    file: 'functions/money/micros.ts',
    line: 'maximumFractionDigits: 6,',
    from: '6',
    to: '7',
    why: 'A micro-dollar has no seventh digit.',
  },
  {
    file: 'functions/money/activity.ts',
    line: 'const name = group === undefined ? undefined : row[GROUPS[group]];',
    from: 'group === undefined',
    to: 'false',
    why: 'A row has no field of no name.',
  },
  {
    file: 'functions/money/activity.ts',
    line: `const id = \`\${row.day} \${name ?? ''}\`;`,
    from: "''",
    to: "'mutated'",
    why: 'Either text is the same for all rows without a group.',
  },
  {
    file: 'functions/money/account.ts',
    line: 'return counted === undefined || counted < ours ? ours : counted;',
    from: 'counted < ours',
    to: '(counted) <= (ours)',
    why: 'Both periods are the same then.',
  },
  {
    file: 'functions/money/account-book.ts',
    line: 'if (cached !== undefined) this.#cache.set(ids.join(), { ...cached, accounts });',
    from: 'cached !== undefined',
    to: 'true',
    why: 'What is cached without an end is read again at once.',
  },
  {
    file: 'functions/money/lease.ts',
    line: 'const lent = left < missing ? left : most(missing, micros(Math.floor(left / 2)));',
    from: 'left < missing',
    to: '(left) <= (missing)',
    why: 'Both lend the same amount then.',
  },
  {
    file: 'functions/money/lease-lists.ts',
    line: "return LISTS[place] ?? '';",
    from: "''",
    to: "'mutated'",
    why: 'There is a list for every place.',
  },
  {
    file: 'functions/money/period.ts',
    line: "case 'lifetime':",
    next: 'return undefined;',
    from: "'lifetime'",
    to: "''",
    why: 'Without this case nothing is returned either.',
  },
];
