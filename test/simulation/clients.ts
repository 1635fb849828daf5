import * as v from 'valibot';
import type { Answer, Asking, Gateway } from './callers.ts';
import { type Command, chosen } from './history.ts';
import type { KnownJob, Model, Order } from './model.ts';
import type { Scene } from './scene.ts';
import { keySchema, type Tenant } from './tenants.ts';

/** The tenants and their manager. They send requests and compare the answers with what is allowed. */
export class Clients {
  readonly #scene: Scene;
  readonly #model: Model;
  readonly #management: string;
  /** The time before which there are no events. */
  readonly #begun: Date;
  readonly #keyChanges = new Map<string, symbol>();

  constructor(scene: Scene, model: Model, management: string) {
    this.#scene = scene;
    this.#model = model;
    this.#management = management;
    this.#begun = scene.world.clock.now();
  }

  /** Runs a caller's command. The answer is checked as soon as the right result is known. */
  async obey(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'submit':
        return this.#submit(this.#model.order(command.tenant, this.#tenant(command.tenant).word, command));
      case 'submit again': {
        const order = chosen(this.#model.orders, command.at);
        return order?.idempotencyKey === undefined ? undefined : this.#submit(order);
      }
      case 'get':
        return this.get(chosen(this.#model.jobs, command.at), command.tenant);
      case 'cancel':
        return this.#cancel(chosen(this.#model.jobs, command.at));
      case 'redeliver':
        return this.#ofJob('redeliver-video-webhook', command.at);
      case 'content':
        return this.#ofJob('get-video-content', command.at);
      case 'delete':
        return this.#delete(chosen(this.#model.jobs, command.at));
      case 'list':
        return this.#model.listed(command.tenant, await this.#ask('list-videos', command.tenant, {}));
      case 'recover':
        return this.manage('recover-webhook-deliveries', {
          path: this.#workspace(command.tenant),
          body: { since: this.#begun.toISOString() },
        });
      case 'rotate secret':
        return this.#rotate(this.#tenant(command.tenant).id, command.hours);
      case 'drop default address':
        return this.manage('put-workspace-webhook', {
          path: this.#workspace(command.tenant),
          body: { default_callback_url: null },
        });
      case 'budget': {
        const path = { ...this.#workspace(command.tenant), interval: command.interval };
        return this.manage('put-budget', {
          path,
          body: { limit_usd: command.usd, include_byok_in_budgets: command.byok },
        });
      }
      case 'credits':
        return this.manage('grant-credits', {
          body: { amount_usd: command.usd },
          idempotencyKey: `grant-${command.usd}`,
        });
      case 'disable key':
        return this.#disable(this.#tenant(command.tenant), command.disabled);
      case 'replace key':
        return this.#replaceKey(this.#tenant(command.tenant), command.expires);
    }
    return undefined;
  }

  /** Once the answer arrives, the key is certainly disabled, unless somebody has requested another state meanwhile. */
  async #disable({ keyHash }: Tenant, disabled: boolean): Promise<void> {
    const change = Symbol(keyHash);
    this.#keyChanges.set(keyHash, change);
    this.#scene.jobs.closedKeys.delete(keyHash);
    const { status } = await this.manage('update-key', { path: { hash: keyHash }, body: { disabled } });
    const isLast = this.#keyChanges.get(keyHash) === change;
    if (status === 200 && disabled && isLast) this.#close(keyHash);
  }

  /** From now on the tenant has another key, and the old one ends: at once, or a minute later. */
  async #replaceKey(tenant: Tenant, expires: boolean): Promise<void> {
    const { clock } = this.#scene.world;
    const issued = await this.manage('create-key', { body: { name: 'next', workspace_id: tenant.id } });
    if (issued.status !== 201) return;
    const path = { hash: tenant.keyHash };
    const { key, data } = v.parse(keySchema, issued.body);
    Object.assign(tenant, { key, keyHash: data.hash });
    const end = new Date(clock.now().getTime() + 60_000);
    const { status } = expires
      ? await this.manage('update-key', { path, body: { expires_at: end.toISOString() } })
      : await this.manage('delete-key', { path });
    if (expires) await clock.wait(Math.max(0, end.getTime() + 1_000 - clock.now().getTime()));
    if (status === 200) this.#close(path.hash);
  }

  #close = (keyHash: string) => this.#scene.jobs.closedKeys.set(keyHash, this.#scene.now());

  #rotate(workspace: string, hours: number): Promise<void> {
    return this.#scene.secrets.rotate(workspace, hours * 3_600_000, () =>
      this.manage('rotate-webhook-secret', { path: { workspace }, body: { overlap_hours: hours } }),
    );
  }

  #tenant = (at: number): Tenant => {
    const tenant = this.#scene.tenants[at];
    if (tenant === undefined) throw new Error(`there is no tenant ${at}`);
    return tenant;
  };

  #workspace = (tenant: number) => ({ workspace: this.#tenant(tenant).id });

  #ask = (
    route: Parameters<Gateway['ask']>[0],
    tenant: number,
    asking: Omit<Asking, 'key'>,
  ): Promise<Answer> => this.#scene.gateway.ask(route, { key: this.#tenant(tenant).key, ...asking });

  readonly manage = (route: Parameters<Gateway['ask']>[0], asking: Omit<Asking, 'key'>): Promise<Answer> =>
    this.#scene.gateway.ask(route, { key: this.#management, ...asking });

  async #submit(order: Order): Promise<void> {
    const { tenant, body, idempotencyKey } = order;
    const answer = await this.#ask('submit-video', tenant, {
      body,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    this.#model.submitted(order, answer);
  }

  async get(job: KnownJob | undefined, asker = job?.tenant): Promise<void> {
    if (job === undefined || asker === undefined) return;
    const asked = { wasDeleted: job.deletion === 'done', before: job.seen };
    const answer = await this.#ask('get-video', asker, { path: { video: job.id } });
    this.#model.seen(job, asker, asked, answer);
  }

  async #ofJob(route: 'redeliver-video-webhook' | 'get-video-content', at: number): Promise<void> {
    const job = chosen(this.#model.jobs, at);
    if (job !== undefined) await this.#ask(route, job.tenant, { path: { video: job.id } });
  }

  /** Requests a cancellation. The answer shows the job's state, which must never go back. */
  async #cancel(job: KnownJob | undefined): Promise<void> {
    if (job === undefined) return;
    const asked = { wasDeleted: job.deletion === 'done', before: job.seen };
    const answer = await this.#ask('cancel-video', job.tenant, { path: { video: job.id } });
    // A refusal does not say whether the job exists.
    if (answer.status === 200) this.#model.seen(job, job.tenant, asked, answer);
  }

  async #delete(job: KnownJob | undefined): Promise<void> {
    if (job === undefined) return;
    const { status } = await this.#ask('delete-video', job.tenant, { path: { video: job.id } });
    // Without an answer, the job may or may not be deleted.
    if (status === 200) job.deletion = 'done';
    else if (status >= 500 && job.deletion === 'none') job.deletion = 'unknown';
  }
}
