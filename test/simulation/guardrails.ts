import { isDeepStrictEqual } from 'node:util';
import { emptyAccount, guardrailAccount } from '../../functions/money/account.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { ownGuardrailId } from '../../functions/workspaces/workspace.ts';
import { command, pick, placeOf } from './commands.ts';
import { MODELS } from './providers.ts';
import type { Scene } from './scene.ts';

const NAME_RULES = ['allowed_models', 'ignored_models', 'allowed_providers', 'ignored_providers'] as const;
const RESETS = [null, 'daily', 'weekly', 'monthly'] as const;

const NAMED_PROVIDERS = ['sandbox', 'fal', 'kling', 'replicate', 'fal/kling-3.0-standard'] as const;

type NameRules = Readonly<Record<(typeof NAME_RULES)[number], readonly string[] | null>>;

interface Rules extends NameRules {
  readonly limit_usd: number | null;
  readonly reset_interval: (typeof RESETS)[number];
  readonly include_byok_in_budgets: boolean;
}

const NO_NAMES: NameRules = {
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
};
const NO_RULES: Rules = {
  ...NO_NAMES,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
};

/** Rules are remembered for 30 seconds, and a submit that has read them may take 25 more. */
const LONGEST_USE = (30 + 25 + 1) * 1000;

interface Known {
  readonly rules: Rules;
  readonly since: number;
}

/** I16: a job that begins keeps to the guardrail of its workspace, whose limit is the one that was set last. */
export class Guardrails {
  readonly #scene: Scene;
  /** The rules of workspaces. `unknown` while a change is under way, or when no answer to one came. */
  readonly #known = new Map<string, Known | 'unknown'>();
  readonly #busy = new Set<string>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Replaces all rules of a workspace's own guardrail, unless somebody else does that just now. */
  async replace(workspace: string, rules: Rules): Promise<void> {
    if (this.#busy.has(workspace)) return;
    const before = this.#rulesOf(workspace);
    this.#busy.add(workspace);
    this.#known.set(workspace, 'unknown');
    const path = { guardrail: ownGuardrailId(workspace) };
    const { status } = await this.#scene.manage('update-guardrail', { path, body: rules });
    this.#busy.delete(workspace);
    if (status >= 400 && status < 500) this.#known.set(workspace, before);
    if (status === 404 && !this.#scene.workspaces.removed.has(workspace))
      this.#scene.violate('I16', `the guardrail of ${workspace} is not found`);
    if (status !== 200) return;
    this.#known.set(workspace, { rules, since: this.#scene.now() });
    this.#expectLimit(workspace, rules);
  }

  #rulesOf = (workspace: string) => this.#known.get(workspace) ?? { rules: NO_RULES, since: 0 };

  /** The amount counts at once. */
  #expectLimit(workspace: string, { limit_usd, reset_interval, include_byok_in_budgets }: Rules): void {
    const id = guardrailAccount(ownGuardrailId(workspace));
    const { limits, counts_byok } = this.#scene.money.accounts.get(id) ?? emptyAccount(id);
    const told = Object.entries(limits).map(([interval, limit]) => [interval, limit?.micros]);
    const expected =
      limit_usd === null ? [] : [[reset_interval ?? 'lifetime', Math.round(limit_usd * 1_000_000)]];
    const isSame =
      isDeepStrictEqual(told, expected) && (limit_usd === null || counts_byok === include_byok_in_budgets);
    if (!isSame)
      this.#scene.violate(
        'I16',
        `${id} is limited to ${JSON.stringify(told)}, not ${JSON.stringify(expected)}`,
      );
  }

  /** Judges a job that has just begun. */
  readonly judge = (job: Job, before: Job | undefined): void => {
    const known = this.#rulesOf(job.workspace_id);
    if (before !== undefined || known === 'unknown' || this.#scene.weather.hadWrongClocks) return;
    // Where rules cannot be read again, the ones that were read last are used on.
    const readableSince = Math.max(known.since, this.#scene.weather.lastBadAt);
    if (known.since > 0 && this.#scene.now() < readableSince + LONGEST_USE) return;
    const id = ownGuardrailId(job.workspace_id);
    const limitedBy = known.rules.limit_usd === null ? undefined : id;
    const isHeld = job.holds.some(({ account }) => account === guardrailAccount(id));
    if (job.guardrail_id !== limitedBy || isHeld !== (limitedBy !== undefined))
      this.#scene.violate('I16', `${job.id} counts against ${job.guardrail_id}, not against ${limitedBy}`);
    for (const place of [job, ...job.alternatives]) {
      const model = job.endpoint_of ?? job.model;
      if (!allows(known.rules, { model, endpoint: place.endpoint ?? model, provider: place.provider ?? '' }))
        this.#scene.violate(
          'I16',
          `${job.id} may run at ${place.endpoint}, against ${JSON.stringify(known.rules)}`,
        );
    }
  };
}

/** Another set of rules for a workspace. */
export const GUARDRAIL = command(
  'guardrail',
  2,
  (random) => {
    const names = random() < 0.4 ? pick(random, NAME_RULES) : undefined;
    const known = names?.endsWith('models') ? MODELS : NAMED_PROVIDERS;
    const list = known.filter(() => random() < (names?.startsWith('allowed') ? 0.7 : 0.3));
    return {
      place: placeOf(random),
      names: names && { [names]: list.length > 0 ? list : [known[0]] },
      limit_usd: random() < 0.4 ? null : Math.floor(300 * random()) / 100 + 0.01,
      reset_interval: pick(random, RESETS),
      include_byok_in_budgets: random() < 0.5,
    };
  },
  ({ guardrails, tenantIn }, { place, names, ...limit }) =>
    guardrails.replace(tenantIn(place).id, { ...NO_NAMES, ...names, ...limit }),
);

interface Place {
  readonly model: string;
  readonly endpoint: string;
  readonly provider: string;
}

function allows(rules: NameRules, { model, endpoint, provider }: Place): boolean {
  const isIn = (list: readonly string[] | null, ...names: readonly string[]) =>
    list === null ? undefined : names.some((name) => list.includes(name));
  return (
    isIn(rules.allowed_models, model, endpoint) !== false &&
    isIn(rules.ignored_models, model, endpoint) !== true &&
    isIn(rules.allowed_providers, provider, endpoint) !== false &&
    isIn(rules.ignored_providers, provider, endpoint) !== true
  );
}
