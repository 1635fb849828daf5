import type { VirtualClock } from '../engines/index.ts';
import type { Answer, Gateway } from './callers.ts';
import type { Command } from './history.ts';
import type { OpenedStage, Tenant } from './tenants.ts';
import type { Violate } from './watched-rows.ts';
import type { WatchedWorkspaces } from './watched-workspaces.ts';

interface TenancyStage extends OpenedStage {
  readonly workspaces: WatchedWorkspaces;
  readonly closedKeys: Map<string, number>;
  readonly clock: VirtualClock;
  /** Told of each tenant that comes later. */
  readonly onTenant: (tenant: Tenant) => void;
}

/**
 * Tenants that leave, and others in their places. The commands of a history name places; jobs, files and secrets stay
 * with the tenant that had them.
 */
export class Tenancy {
  readonly #gateway: Gateway;
  readonly #stage: TenancyStage;
  readonly #violate: Violate;
  /** The number of the tenant in each place. */
  readonly #places: number[];
  /** Those whose workspaces are to be deleted. */
  readonly #leaving = new Set<Tenant>();

  constructor(gateway: Gateway, stage: TenancyStage, violate: Violate) {
    this.#gateway = gateway;
    this.#stage = stage;
    this.#violate = violate;
    this.#places = [...stage.tenants.keys()];
  }

  /** The command with the number of the tenant instead of that of its place. */
  of(command: Command): Command {
    if (!('tenant' in command) || command.tenant === undefined) return command;
    return Object.assign({}, command, { tenant: this.#places[command.tenant] ?? 0 });
  }

  /** @param command with the number of a place */
  async obey(command: Command): Promise<void> {
    if (command.do !== 'delete workspace') return;
    const tenant = this.#stage.tenants[this.#places[command.tenant] ?? 0];
    if (tenant === undefined) return;
    if (command.closes && !(await this.#close(tenant))) return;
    if ((await this.#delete(tenant)) || command.closes) await this.#replace(command.tenant, tenant);
  }

  async #close(tenant: Tenant): Promise<boolean> {
    const { keyHash } = tenant;
    const { status } = await this.#manage('delete-key', { path: { hash: keyHash } });
    if (status !== 200) return false;
    this.#stage.closedKeys.set(keyHash, this.#stage.clock.now().getTime());
    this.#leaving.add(tenant);
    return true;
  }

  /** @returns whether the workspace is certainly deleted */
  async #delete({ id }: Tenant): Promise<boolean> {
    const { status } = await this.#manage('delete-workspace', { path: { workspace: id } });
    if (status === 200 && !this.#stage.workspaces.removed.has(id))
      this.#violate('I14', `${id} is said to be deleted, and is not`);
    return status === 200;
  }

  /** Another tenant comes, unless one has or the stage does not answer. */
  async #replace(place: number, { id }: Tenant): Promise<void> {
    const tenant = await this.#stage.open();
    if (tenant === undefined) return;
    this.#stage.onTenant(tenant);
    if (this.#stage.tenants[this.#places[place] ?? 0]?.id === id)
      this.#places[place] = this.#stage.tenants.indexOf(tenant);
  }

  /** A workspace can be deleted in which no job is open and no key is live, whatever happened before. */
  async leave(): Promise<void> {
    const { workspaces } = this.#stage;
    for (const { id } of this.#leaving) {
      if (!workspaces.isIdle(id)) continue;
      const { status } = await this.#manage('delete-workspace', { path: { workspace: id } });
      if (!workspaces.removed.has(id)) this.#violate('I14', `${id} cannot be deleted: ${status}`);
    }
  }

  #manage(route: Parameters<Gateway['ask']>[0], asking: object): Promise<Answer> {
    return this.#gateway.ask(route, { key: this.#stage.management, ...asking });
  }
}
