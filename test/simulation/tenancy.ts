import type { Answer, Gateway } from './callers.ts';
import type { Command } from './history.ts';
import type { Scene } from './scene.ts';
import type { OpenedStage, Tenant } from './tenants.ts';

/**
 * Tenants that leave, and others in their places. The commands of a history name places; jobs, files and secrets stay
 * with the tenant that had them.
 */
export class Tenancy {
  readonly #scene: Scene;
  readonly #opened: OpenedStage;
  /** The number of the tenant in each place. */
  readonly #places: number[];
  /** Those whose workspaces are to be deleted. */
  readonly #leaving = new Set<Tenant>();

  constructor(scene: Scene, opened: OpenedStage) {
    this.#scene = scene;
    this.#opened = opened;
    this.#places = [...opened.tenants.keys()];
  }

  /** The command with the number of the tenant instead of that of its place. */
  of(command: Command): Command {
    if (!('tenant' in command) || command.tenant === undefined) return command;
    return Object.assign({}, command, { tenant: this.#places[command.tenant] ?? 0 });
  }

  /** @param command with the number of a place */
  async obey(command: Command): Promise<void> {
    if (command.do !== 'delete workspace') return;
    const tenant = this.#scene.tenants[this.#places[command.tenant] ?? 0];
    if (tenant === undefined) return;
    if (command.closes && !(await this.#close(tenant))) return;
    if ((await this.#delete(tenant)) || command.closes) await this.#replace(command.tenant, tenant);
  }

  async #close(tenant: Tenant): Promise<boolean> {
    const { keyHash } = tenant;
    const { status } = await this.#manage('delete-key', { path: { hash: keyHash } });
    if (status !== 200) return false;
    this.#scene.jobs.closedKeys.set(keyHash, this.#scene.now());
    this.#leaving.add(tenant);
    return true;
  }

  /** @returns whether the workspace is certainly deleted */
  async #delete({ id }: Tenant): Promise<boolean> {
    const { status } = await this.#manage('delete-workspace', { path: { workspace: id } });
    if (status === 200 && !this.#scene.workspaces.removed.has(id))
      this.#scene.violate('I14', `${id} is said to be deleted, and is not`);
    return status === 200;
  }

  /** Another tenant comes, unless one has or the stage does not answer. */
  async #replace(place: number, { id }: Tenant): Promise<void> {
    const tenant = await this.#opened.open();
    if (tenant === undefined) return;
    if (this.#scene.tenants[this.#places[place] ?? 0]?.id === id)
      this.#places[place] = this.#scene.tenants.indexOf(tenant);
  }

  /** A workspace can be deleted in which no job is open and no key is live, whatever happened before. */
  async leave(): Promise<void> {
    const { workspaces } = this.#scene;
    for (const { id } of this.#leaving) {
      if (!workspaces.isIdle(id)) continue;
      const { status } = await this.#manage('delete-workspace', { path: { workspace: id } });
      if (!workspaces.removed.has(id)) this.#scene.violate('I14', `${id} cannot be deleted: ${status}`);
    }
  }

  #manage(route: Parameters<Gateway['ask']>[0], asking: object): Promise<Answer> {
    return this.#scene.gateway.ask(route, { key: this.#opened.management, ...asking });
  }
}
