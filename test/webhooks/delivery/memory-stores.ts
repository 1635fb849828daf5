import { overdueRow } from '../../../functions/sweeping/swept-rows.ts';
import type { DeliverPorts } from '../../../functions/webhooks/delivery/deliver-event.ts';
import { CIRCUIT_FAILURES, type Streak } from '../../../functions/webhooks/delivery/host-health.ts';
import type { LaneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';
import { EVENT_ROWS, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { RestartPorts } from '../../../functions/webhooks/events/redeliver-event.ts';
import type { SweepEventPorts } from '../../../functions/webhooks/events/sweep-event.ts';

/** The outbox in memory, with the table's conditions: a write that comes too late changes nothing. */
export class MemoryEvents {
  readonly rows = new Map<string, WebhookEvent>();

  readonly port: DeliverPorts['events'] & RestartPorts['events'] = {
    restart: async (event, now) => {
      const row = this.rows.get(event.id);
      if (row?.attempts !== event.attempts || row.lease_until > now.getTime()) return undefined;
      const restarted = {
        ...event,
        status: 'pending' as const,
        chain_start: event.attempts,
        is_redelivery: true,
        refusals: 0,
        waits: 0,
        lease_until: 0,
        due_at: now.getTime(),
      };
      this.rows.set(event.id, restarted);
      return restarted;
    },
    find: async (id) => this.rows.get(id),
    claim: async (event, until) =>
      this.#write(event, { lease_until: until }) ? this.rows.get(event.id) : undefined,
    postpone: async ({ id, attempts, due_at }, until) => {
      const row = this.rows.get(id);
      if (row?.status !== 'pending' || row.attempts !== attempts || row.due_at !== due_at) return false;
      this.rows.set(id, { ...row, due_at: until, waits: row.waits + 1 });
      return true;
    },
    closeUndeliverable: async (event) => void this.#write(event, { status: 'no_address' }),
    record: async (event, attempt, progress) => {
      const next =
        progress.status === 'pending'
          ? { due_at: progress.dueAt, refusals: event.refusals + (progress.refused ? 1 : 0) }
          : {};
      this.#write(event, {
        ...next,
        status: progress.status,
        attempts: event.attempts + 1,
        lease_until: 0,
        waits: 0,
        history: [...event.history, attempt],
      });
    },
  };

  readonly overdue: SweepEventPorts['sweptRows'] = {
    find: async (id) => overdueRow({ ...this.rows.get(id) }, EVENT_ROWS),
    postpone: async ({ id, due_at, sweeps }, until) => {
      const row = this.rows.get(id);
      if (row?.status !== 'pending' || row.due_at !== due_at) return false;
      this.rows.set(id, { ...row, ...{ due_at: until, sweeps: sweeps + 1 } });
      return true;
    },
  };

  #write(read: WebhookEvent, changes: Partial<WebhookEvent>): boolean {
    const row = this.rows.get(read.id);
    if (row?.status !== 'pending' || row.lease_until !== read.lease_until) return false;
    if (row.attempts !== read.attempts || row.chain_start !== read.chain_start) return false;
    this.rows.set(read.id, { ...row, ...changes });
    return true;
  }
}

export class MemoryLanes {
  readonly #limits: LaneLimits;
  readonly #workspaces = new Map<string, Map<string, { host: string; lapsesAt: number }>>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  readonly port: DeliverPorts['lanes'] = {
    enter: async ({ workspaceId, host }, { now, lapsesAt, token }) => {
      const holders = this.#workspaces.get(workspaceId) ?? new Map<string, never>();
      this.#workspaces.set(workspaceId, holders);
      const isFull = () => {
        const ofHost = [...holders.values()].filter((holder) => holder.host === host);
        return holders.size >= this.#limits.workspace || ofHost.length >= this.#limits.host;
      };
      if (isFull()) {
        for (const [name, holder] of holders) if (holder.lapsesAt < now.getTime()) holders.delete(name);
      }
      if (isFull()) return undefined;
      holders.set(token, { host, lapsesAt });
      return token;
    },
    leave: async ({ workspaceId }, holder) => void this.#workspaces.get(workspaceId)?.delete(holder),
  };
}

export class MemoryStreaks {
  readonly rows = new Map<string, Streak>();

  readonly port: DeliverPorts['streaks'] = {
    find: async (workspace, host) => this.rows.get(`${workspace} ${host}`),
    takeTrial: async (workspace, host, now) => {
      const row = this.rows.get(`${workspace} ${host}`);
      if (row === undefined) return true;
      if (row.triedAt !== undefined && row.triedAt > now.getTime() - 30_000) return false;
      this.rows.set(`${workspace} ${host}`, { ...row, triedAt: now.getTime() });
      return true;
    },
    end: async (workspace, host) => void this.rows.delete(`${workspace} ${host}`),
    extend: async (workspace, host, now) => {
      const at = now.getTime();
      const before = this.rows.get(`${workspace} ${host}`) ?? { failingSince: at, failures: 0, latest: [] };
      const latest = [...before.latest, at].slice(-CIRCUIT_FAILURES);
      const streak = { ...before, failures: before.failures + 1, latest };
      this.rows.set(`${workspace} ${host}`, streak);
      return streak;
    },
  };
}
