import { BUGS_OF_VIDEOS } from './bugs-of-videos.ts';
import { always, type PlantedBugs } from './planted-bugs.ts';

/** The simulator must find the bugs of these tests too. */
export const ALSO_FOR_SIMULATOR = [
  'test/videos/callbacks/receive-callback.test.ts',
  'test/videos/routing/figures.test.ts',
];

/**
 * Bugs by the fast test that must find them. Most break promises at the seams with vendors, with lost answers and with late
 * indexes. Of the others eight histories show nothing; some are about what the simulator does not judge.
 */
export const BUGS_FOR_TESTS: Readonly<Record<string, PlantedBugs>> = {
  ...BUGS_OF_VIDEOS,
  'test/webhooks/delivery/judge-answer.test.ts': {
    'a redirect counts as a delivery': ['status < 300) return {', 'status < 400) return {'],
  },
  'test/money/account-store.test.ts': {
    'a cost is counted in any current period': [
      'running.map((interval) => `#${interval}.#period = :${interval}`)',
      `running.map((interval) => \`${always('#${interval}.#period = :${interval}')}\`)`,
    ],
    'a workspace is deleted under its jobs': [
      "'(attribute_not_exists(#open_jobs) OR #open_jobs = :none)'",
      `'${always('#open_jobs = :none')}'`,
    ],
  },
  'test/money/leases.test.ts': {
    'the amount that a lease has spent is lost at its end': [
      'lentTo(lease)), spent, byok }',
      'lentTo(lease)), spent: micros(0), byok }',
    ],
  },
  'test/gate/replay-store.test.ts': {
    'two equal requests at once are both carried out': [
      "'attribute_not_exists(id) OR #until <= :now'",
      `'attribute_not_exists(id) OR ${always('#until <= :now')}'`,
    ],
  },
  'test/provider-keys/provider-secrets.test.ts': {
    'a provider key for one model serves all': ['isIn(key.allowed_models, ...models) &&', ''],
    'a replaced secret of a provider key works on': [
      'this.#secrets.get(key.ciphertext);',
      'this.#secrets.get(key.id); this.#secrets.set(key.id, known ?? (await unsealSecret(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext)));',
    ],
  },
  'test/webhooks/delivery/lane-limits.test.ts': {
    'one workspace may occupy all deliverers': ['Math.max(1, Math.floor(deliverers / 3))', 'deliverers'],
    'deliverers do not know how many they are': [
      "laneLimits(setting('deliverers', workersVariable))",
      '{ workspace: 99, host: 99 }',
    ],
  },
  'test/webhooks/delivery/lane-store.test.ts': {
    'a lane has no room for the one who has entered it unknowingly': [
      'return oldItem(error, laneSchema)?.holders.has(holder) ?? false;',
      'return false;',
    ],
  },
  'test/webhooks/delivery/open-circuit.test.ts': {
    'retries to a failing host are never left out': [
      'if (attempt === 1 && (event.is_redelivery || event.type === TEST_EVENT)) return undefined;',
      'if (attempt > 1 || event.is_redelivery || event.type === TEST_EVENT) return undefined;',
    ],
    'a circuit closes before its host has taken an event': [
      'streak.triedAt !== undefined || hasJustFailed(streak, now);',
      'hasJustFailed(streak, now);',
    ],
    'an event is lost after one failure': [
      'return retry(nextDelay(attempt, asked, random))',
      'return lost(false)',
    ],
  },
  'test/webhooks/delivery/deliver-event.test.ts': {
    'test events to a failing host are left out': [
      '(event.is_redelivery || event.type === TEST_EVENT)',
      'event.is_redelivery',
    ],
    'an event without a place spends the trial of a failing host': [
      'const place = await lanes.enter(lane,',
      `if (leftOut !== undefined)
    await streaks.takeTrial(lane.workspaceId, lane.host, begun, newRequestId());
  const place = await lanes.enter(lane,`,
    ],
  },
  'test/webhooks/delivery/trial.test.ts': {
    'a failing host is tried by all at once': [
      "'attribute_exists(id) AND (attribute_not_exists(tried_at) OR tried_at <= :before)'",
      `'attribute_exists(id) AND ${always('tried_at <= :before')}'`,
    ],
  },
  'test/webhooks/settings/rotate-secret.test.ts': {
    'a repeated rotation makes another secret': ['if (!hasMade(token, row)) return', 'return'],
    'a rotation ends a secret before its time, because there are too many': [
      'if (overlapMilliseconds > 0 && retiring.length + 1 >= MOST_SECRETS)',
      'if (retiring.length + 1 >= MOST_SECRETS) retiring.pop();\n    if (overlapMilliseconds < 0)',
    ],
    'a rotation ends the secrets before the last one': [
      'const retiring = signingAt(at, read.retiring_secrets);',
      'const retiring: RetiringSecret[] = [];',
    ],
  },
  'test/broadcast/trace.test.ts': {
    'the new end of a released job has the trace of the old one': [
      'traceIdOf(event.webhook_id ?? event.id)',
      'traceIdOf(event.id)',
    ],
  },
  'test/files/file-store.thorough.test.ts': {
    'an expired file is still found': [
      'return file !== undefined && isExpired(file, this.#now()) ? undefined : file;',
      'return file;',
    ],
  },
  'test/files/stored-bytes.thorough.test.ts': {
    'a part is not named before it is stored': [
      'if (!(await ports.uploads.announcePart(upload, part))) throw await noMore(upload, 0, ports);',
      '',
    ],
    'a part that came late stays for ever': [
      'await removeObjects(upload, ports);\n  if (isOver)',
      'if (!isOver) await removeObjects(upload, ports);\n  if (isOver)',
    ],
    'a part that is sent again has no room': ['=> 2 * size_bytes', '=> size_bytes'],
    'an upload has any number of parts': ['size(parts) < :most OR', `${always('size(parts) < :most')} OR`],
    'parts have any number of bytes': ["'received <= :room AND", `'${always('received <= :room')} AND`],
    'an upload that ends keeps its room': ['usage: this.#files.release(upload),', ''],
    'a file of parts is completed although its upload has ended': [
      "ConditionExpression: '#status = :pending',",
      `ConditionExpression: '${always('#status = :pending')}',`,
    ],
  },
  'test/files/upload/receive-file.test.ts': {
    'an object is announced after it is stored': [
      'await announce();\n      isAnnounced = true;\n      return object.end();',
      'isAnnounced = true;\n      const written = await object.end();\n      await announce();\n      return written;',
    ],
  },
  'test/approvals/approval.test.ts': {
    'a key approves what another of its line asks for': [
      'lineOf(caller) === line',
      'caller.keyHash === line',
    ],
    'a key approves one that may do more': [
      'await assertMayManage(caller, change.stored.hash, async () => change.stored);',
      '',
    ],
  },
  'test/approvals/approval-store.test.ts': {
    'an approval is decided twice': [
      "'#status = :pending AND ends_at > :now'",
      `'${always('#status = :pending')} AND ends_at > :now'`,
    ],
    'an approval is decided after its end': [
      "'#status = :pending AND ends_at > :now'",
      "'#status = :pending AND asked_at <= :now'",
    ],
  },
  'test/reconciling/row-audits.test.ts': {
    'an index that misses jobs lowers what is reserved': [
      '...(this.#isProven ? { repair } : { isUnproven: true })',
      'repair',
    ],
    'a job that moves on in the index counts twice': ['keys.filter(({ id }) => !seen.has(id))', 'keys'],
  },
  'test/reconciling/list-audit.test.ts': {
    'an index that misses rows ends a list': [
      'const wrong = places.filter((place) => rows[place] !== whole.entries[place]);',
      'const wrong = places;',
    ],
  },
  'test/workspaces/remove-workspace.test.ts': {
    'a workspace is deleted under its keys': ['await assertNoActiveKeys(workspace, ports);', ''],
  },
  'test/workspaces/purge-workspace.test.ts': {
    'the purge of a workspace goes on while one of its jobs runs': [
      'if (!(await stripJobs(removal, deadline, ports))) return false;',
      'await stripJobs(removal, deadline, ports);',
    ],
    'the same deleted workspace is always the first': [
      'const first = Math.floor(now().getTime() / MINUTE) % all.length;',
      'const first = 0;',
    ],
    'a deleted workspace is purged at once': [
      'if (ports.now().getTime() < nextLookAt(removal)) return false;',
      '',
    ],
  },
  'test/workspaces/purged-rows.test.ts': {
    'the purge of a workspace leaves the traces of its events': [
      'return [...told.map((each) => ({ id: traceIdOf(String(each)) })), { id }];',
      'return [{ id }];',
    ],
  },
  'test/endpoints/workspaces/sweep-workspaces.test.ts': {
    'the purge of a workspace leaves its events': [
      '    eventStore(),\n    knownHosts(),',
      '    knownHosts(),',
    ],
    'the purge of a workspace leaves its keys': ['    deadKeys(),\n', ''],
  },
};
