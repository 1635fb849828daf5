/** A bug: this text, which `functions/` has in one place only, is replaced by another. */
export interface PlantedBug {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The fast tests that find it. Without them the simulator must. */
  readonly tests?: string;
}

/** A condition that always holds but uses every name of the original one. DynamoDB refuses unused names. */
export const always = (condition: string): string => `(${condition} OR NOT ${condition})`;

/** The simulator must find each of these. They prove that its invariants are checked. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a step has no condition on the row',
    from: `'#seq = :seq AND #phase = :phase AND #submits = :submits' +
          (job.step === '' ? ' AND (attribute_not_exists(#step) OR #step = :step)' : ' AND #step = :step'),`,
    to: `'${always('(#seq = :seq AND #phase = :phase AND #submits = :submits AND #step = :step)')}',`,
  },
  {
    name: 'an ended job is still marked as active',
    from: "' REMOVE active'",
    to: "''",
  },
  {
    name: 'a job’s end has no event',
    from: 'event: events.insertion(event),',
    to: '',
  },
  {
    name: 'a job’s end does not release its holds',
    from: 'account: accounts.settle(job.holds, cost, known),',
    to: '',
  },
  {
    name: 'a job’s end is in no report',
    from: 'activity: accounts.count(activityOf({ ...job, ...step.changes })),',
    to: '',
  },
  {
    name: 'the history of a job is lost',
    from: 'history: [...job.history, { at, status: job.status, ...where, detail: event.reason }]',
    to: 'history: [{ at, status: job.status, ...where, detail: event.reason }]',
  },
  {
    name: 'more is charged than was held',
    from: 'if (cost <= held) return { cost_micros: cost };',
    to: 'return { cost_micros: cost };',
  },
  {
    name: 'a job that may have been accepted counts as refused',
    from: "if (kind === 'ambiguous' && resubmit === 'none')",
    to: "if (kind === 'ambiguous' && resubmit === 'lookup')",
  },
  {
    name: 'an unanswered lookup counts as absent',
    from: `job.warn('lookup failed', error);
    return error;`,
    to: `job.warn('lookup failed', error);
    return 'absent';`,
  },
  {
    name: 'a deadline is ignored',
    from: 'return this.ports.now().getTime() >= this.#row.deadline_at;',
    to: 'return this.ports.now().getTime() < 0;',
  },
  {
    name: 'an unanswered cancel counts as a cancellation',
    from: `job_id: id, error });
    return 'unanswered';`,
    to: `job_id: id, error });
    return 'cancelled';`,
  },
  {
    name: 'a completed job lists a video that was not stored',
    from: 'copies.push(await results.save(keyOf(index), body));',
    to: 'copies.push({ ...(await results.save(`${keyOf(index)}-lost`, body)), key: keyOf(index) });',
  },
  {
    name: 'the sweeper of jobs sends nothing',
    from: 'await queueOf(phase).send(message, workspace_id, 0);',
    to: '',
  },
  {
    name: 'a hold is not given back',
    from: `':cost': cost.micros,
      ':held': hold.micros`,
    to: `':cost': cost.micros,
      ':held': 0`,
  },
  {
    name: 'a job stays counted as open',
    from: "'#open_jobs = #open_jobs - :one'",
    to: "'#open_jobs = #open_jobs - :none'",
  },
  {
    name: 'a cost is counted twice',
    from: "':cost': cost.micros",
    to: "':cost': 2 * cost.micros",
  },
  {
    name: 'the rest of a hold stays committed',
    from: '(counts(cost, hold) ? cost.micros : 0) - hold.micros',
    to: '0',
  },
  {
    name: 'a hold is committed and not reserved',
    from: "'#reserved = if_not_exists(#reserved, :none) + :held'",
    to: "'#reserved = if_not_exists(#reserved, :held)'",
  },
  {
    name: 'webhooks are not signed',
    from: "createHmac('sha256', secret).update(content)",
    to: "createHmac('sha256', 'a secret').update(content)",
  },
  {
    name: 'a signature does not cover the time',
    from: 'Buffer.from(`${id}.${timestamp}.${body}`);\n  const signatures',
    to: 'Buffer.from(`${id}.${body}`);\n  const signatures',
  },
  {
    name: 'all workspaces have one secret',
    from: '`webhook-secret/${workspaceId}/${version}`',
    to: '`webhook-secret/${version}`',
  },
  {
    name: 'an event is lost after one failure',
    from: 'return retry(nextDelay(attempt, asked, random));',
    to: 'return lost(false);',
  },
  {
    name: 'anybody may see any job',
    from: '(job !== undefined && job.workspace_id === principal.workspaceId)',
    to: 'true',
  },
  {
    name: 'a file is not announced',
    from: 'await announce();',
    to: '',
  },
  {
    name: 'the bytes of an ended file stay',
    from: 'await objects.remove(objectKey(file.workspace_id, file.id));',
    to: '',
  },
  {
    name: 'the room of a file is not given back',
    from: 'this.#addToUsage(workspace_id, -size_bytes)',
    to: 'this.#addToUsage(workspace_id, 0)',
  },
  {
    name: 'an expired file is still found',
    from: 'return file !== undefined && isExpired(file, this.#now()) ? undefined : file;',
    to: 'return file;',
  },
  {
    name: 'the sweeper of files does nothing',
    from: 'if (await ports.files.endDue(file)) await removeEnded(file, ports);',
    to: '',
  },
  {
    name: 'a workspace is deleted under its keys',
    from: 'await assertNoActiveKeys(workspace, ports);',
    to: '',
  },
  {
    name: 'a workspace is deleted under its jobs',
    from: "'(attribute_not_exists(#open_jobs) OR #open_jobs = :none)'",
    to: `'${always('#open_jobs = :none')}'`,
  },
  {
    name: 'a deleted workspace is purged at once',
    from: 'if (ports.now().getTime() < nextLookAt(removal)) return false;',
    to: '',
  },
  {
    name: 'the purge of a workspace leaves what was asked of its jobs',
    from: 'await removeRows(this.#client, this.#table, requests);',
    to: '',
  },
  {
    name: 'the purge of a workspace leaves its events',
    from: '    eventStore(),\n    knownHosts(),',
    to: '    knownHosts(),',
  },
  {
    name: 'the purge of a workspace leaves its keys',
    from: '    deadKeys(),\n',
    to: '',
  },
  {
    name: 'the purge of a workspace takes its jobs out of the reports',
    from: "  'cost_micros',\n  'upstream_cost_micros',",
    to: "  'upstream_cost_micros',",
  },
  {
    name: 'the slow submits of one workspace occupy all submitters',
    from: 'if (!(await insist(() => shares.enter(mine, occupant, now), pause))) return waitForRoom(job, now);',
    to: '',
  },
  {
    name: 'the slow results of one workspace occupy all copiers',
    from: 'if (!hasRoom) this.#end.abort();',
    to: '',
  },
  {
    name: 'the slow polls of one provider occupy all pollers',
    from: 'const shared = this.#ports.slowPolls?.admit(call, now) ?? 0;',
    to: 'const shared = 0;',
  },
  {
    name: 'the hanging receivers of one workspace occupy all deliverers',
    from: "laneLimits(setting('deliverers', workersVariable))",
    to: '{ workspace: 99, host: 99 }',
  },
  {
    name: 'a finished video is deleted unseen',
    from: 'const state = seen ?? (await look(job, job.ref, place, ports));',
    to: "const state = seen ?? { state: 'running' };",
  },
  {
    name: 'a closed key still begins what waits',
    from: 'ports.steps.maySpend(row, ports.now());',
    to: 'Promise.resolve(true);',
  },
  {
    name: 'a rotation ends the secrets before the last one',
    from: 'const retiring = signingAt(at, read.retiring_secrets);',
    to: 'const retiring: RetiringSecret[] = [];',
  },
  {
    name: 'a task that is not listed yet counts as lost',
    from: 'mayBeListedYet(job) ?',
    to: 'false ?',
  },
  {
    name: 'an error that says when to come back counts as a refusal',
    from: "if (status === 429) return 'rate_limited';",
    to: "if (status === 429) return 'rate_limited'; if (status === 503) return 'unavailable';",
  },
  {
    name: 'a provider key works for hours after its deletion',
    from: 'until: now().getTime() + CACHE_MILLISECONDS });\n    return keys;',
    to: 'until: now().getTime() + 1000 * CACHE_MILLISECONDS });\n    return keys;',
  },
  {
    name: 'a replaced secret of a provider key works on',
    from: 'this.#secrets.get(key.ciphertext);',
    to: 'this.#secrets.get(key.id); this.#secrets.set(key.id, known ?? (await unsealSecret(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext)));',
  },
  {
    name: 'a job on a workspace’s own account runs on the shared one',
    from: "const isShared = settings.credential === 'shared' && !job.is_byok;",
    to: "const isShared = settings.credential === 'shared';",
  },
  {
    name: 'a provider key for one model serves all',
    from: 'isIn(key.allowed_models, ...models) &&',
    to: '',
  },
  {
    name: 'a job on an own account is paid with credits',
    from: '!isByok || counts_byok;',
    to: '!isByok || counts_byok || !counts_byok;',
  },
  {
    name: 'a job holds nothing in the account of its guardrail',
    from: '...(job.guardrail_id === undefined ? [] : [guardrailAccount(job.guardrail_id)]),',
    to: '',
  },
  {
    name: 'a changed limit of a guardrail is only shown',
    from: 'account: account && accounts.changeLimits(account, limitsOf(after, account, now())),',
    to: '',
  },
  {
    name: 'rules of guardrails are remembered for hours',
    from: 'const SETTINGS_MILLISECONDS = 30_000;',
    to: 'const SETTINGS_MILLISECONDS = 30_000_000;',
  },
  {
    name: 'Kling is not told the id of a job',
    from: 'external_task_id: job.id,',
    to: '',
  },
];
