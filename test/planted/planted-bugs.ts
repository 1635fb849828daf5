/** A text that `functions/` has in one place only, and another that replaces it. */
export type PlantedBug = readonly [from: string, to: string];
export type PlantedBugs = Readonly<Record<string, PlantedBug>>;

/** A condition that always holds but uses every name of the original one. DynamoDB refuses unused names. */
export const always = (condition: string): string => `(${condition} OR NOT ${condition})`;

/** The simulator must find each of these. They prove that its invariants are checked. */
export const BUGS_FOR_SIMULATOR: PlantedBugs = {
  'a step has no condition on the row': [
    `'#seq = :seq AND #phase = :phase AND #submits = :submits' +
          (job.step === '' ? ' AND (attribute_not_exists(#step) OR #step = :step)' : ' AND #step = :step'),`,
    `'${always('(#seq = :seq AND #phase = :phase AND #submits = :submits AND #step = :step)')}',`,
  ],
  'an ended job is still marked as active': ["' REMOVE active'", "''"],
  'a job’s end has no event': ['event: events.insertion(event),', ''],
  'a job’s end does not release its holds': ['account: accounts.settle(job.holds, cost, known),', ''],
  'a job’s end is in no report': [
    'activity: activitiesOf({ ...job, ...step.changes }).map((each) => accounts.count(each)),',
    '',
  ],
  'the history of a job is lost': [
    'history: [...job.history, { at, status: job.status, ...where, detail: event.reason }]',
    'history: [{ at, status: job.status, ...where, detail: event.reason }]',
  ],
  'more is charged than was held': ['if (cost <= held) return {', 'return {'],
  'a job that may have been accepted counts as refused': [
    "&& resubmit === 'none')",
    "&& resubmit === 'lookup')",
  ],
  'an unanswered lookup counts as absent': [
    `job.warn('lookup failed', error);
    return error;`,
    `job.warn('lookup failed', error);
    return 'absent';`,
  ],
  'a deadline is ignored': [
    'return this.ports.now().getTime() >= this.#row.deadline_at;',
    'return this.ports.now().getTime() < 0;',
  ],
  'an unanswered cancel counts as a cancellation': [
    `job_id: id, ...whyNot(error) });
    return 'unanswered';`,
    `job_id: id, ...whyNot(error) });
    return 'cancelled';`,
  ],
  'a completed job lists a video that was not stored': [
    'copies.push(await results.save(keyOf(index), body));',
    'copies.push({ ...(await results.save(`${keyOf(index)}-lost`, body)), key: keyOf(index) });',
  ],
  'the sweeper of jobs sends nothing': ['await queueOf(phase).send(message, workspace_id, 0);', ''],
  'a hold is not given back': [
    `':cost': cost.micros,
      ':held': hold.micros`,
    `':cost': cost.micros,
      ':held': 0`,
  ],
  'a job stays counted as open': ["'#open_jobs = #open_jobs - :one'", "'#open_jobs = #open_jobs - :none'"],
  'a cost is counted twice': ["':cost': cost.micros", "':cost': 2 * cost.micros"],
  'the rest of a hold stays committed': ['(counts(cost, hold) ? cost.micros : 0) - hold.micros', '0'],
  'a hold is committed and not reserved': [
    'if_not_exists(#reserved, :none) + :held',
    'if_not_exists(#reserved, :held)',
  ],
  'webhooks are not signed': [
    "createHmac('sha256', secret).update(content)",
    "createHmac('sha256', 'a secret').update(content)",
  ],
  'a signature does not cover the time': [
    'Buffer.from(`${id}.${timestamp}.${body}`);\n  const signatures',
    'Buffer.from(`${id}.${body}`);\n  const signatures',
  ],
  'all workspaces have one secret': ['webhook-secret/${workspaceId}/', 'webhook-secret/'],
  'anybody may see any job': [
    'job === undefined || !mayActIn(principal, job.workspace_id)',
    'job === undefined',
  ],
  'a file is not announced': ['await announce();', ''],
  'the bytes of a deleted file stay': [
    'return false;\n  await objects.remove(objectKey(file.workspace_id, file.id));',
    'return false;',
  ],
  'the room of a file is not given back': ['(workspace_id, -size_bytes)', '(workspace_id, 0)'],
  'the sweeper of files does nothing': ['if (!(await files.endDue(file))) return;', 'return;'],
  'a provider key works for hours after its deletion': [
    'until: now().getTime() + CACHE_MILLISECONDS });\n    return keys;',
    'until: now().getTime() + 1000 * CACHE_MILLISECONDS });\n    return keys;',
  ],
  'a job on a workspace’s own account runs on the shared one': ["'shared' && !job.is_byok", "'shared'"],
  'a job on an own account is paid with credits': ['!isByok || counts_byok;', 'true;'],
  'a job holds nothing in the account of its guardrail': [
    '...(job.guardrail_id === undefined ? [] : [guardrailAccount(job.guardrail_id)]),',
    '',
  ],
  'a changed limit of a guardrail is only shown': [
    'account: account && accounts.changeLimits(account, limitsOf(after, account, now())),',
    '',
  ],
  'rules of guardrails are remembered for hours': [
    'const SETTINGS_MILLISECONDS = 30_000;',
    'const SETTINGS_MILLISECONDS = 30_000_000;',
  ],
  'a callback ends a job': [
    'await step(new MovingJob({ ...job, polls, due_at }, place, ports));',
    `const moving = new MovingJob({ ...job, polls, due_at }, place, ports);
      await (message.hint === undefined ? step(moving) : moving.apply({ type: 'made', delaySeconds: 0 }));`,
  ],
};
