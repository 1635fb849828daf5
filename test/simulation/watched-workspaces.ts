import * as v from 'valibot';
import { storedKeySchema } from '../../functions/keys/key-store.ts';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { SECOND_LOOK_MILLISECONDS } from '../../functions/workspaces/remove-workspace.ts';
import { DEFAULT_WORKSPACE_ID } from '../../functions/workspaces/workspace.ts';
import { REMAINS } from '../what-remains.ts';
import { beforeEachCall, followTable, type Row } from './followed-tables.ts';
import type { Scene } from './scene.ts';

const HOUR = 3_600_000;
/** How wrong a clock may be that counts as right. */
const INACCURACY = 200;

const PREFIX = 'WORKSPACE#';
const workspaceSchema = v.object({ live_keys: v.number(), removed_at: v.exactOptional(v.string()) });
const keySchema = v.pick(storedKeySchema, ['workspace_id', 'disabled', 'expires_at']);
type Key = v.InferOutput<typeof keySchema>;

/** What reports show of a job. It never changes, not even when the workspace is purged. */
const REPORTED = [
  ...['id', 'workspace_id', 'key_hash', 'model', 'generation_id', 'status', 'phase', 'created_at'],
  ...['completed_at', 'cost_micros', 'upstream_cost_micros', 'estimate_micros', 'duration_seconds'],
] as const satisfies (keyof Job)[];

/** I14, from the rows of workspaces, keys and jobs, and from all that is stored. */
export class WatchedWorkspaces {
  /** Since when they are deleted, by their ids. */
  readonly removed = new Map<string, number>();
  /** Those of which nothing is left. */
  readonly purged = new Set<string>();
  readonly #openJobs = new Map<string, Set<string>>();
  readonly #keys = new Map<string, Key>();
  readonly #liveKeys = new Map<string, number>();
  readonly #changed = new Set<string>();
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
    followTable(scene, 'Workspaces', (pk, row) => {
      if (!pk.startsWith(PREFIX)) return;
      const id = pk.slice(PREFIX.length);
      this.#onWorkspace(id, row);
      const due_at = row?.emptied_at
        ? Date.parse(String(row.emptied_at)) + SECOND_LOOK_MILLISECONDS
        : Date.parse(String(row?.removed_at)) + HOUR;
      const active = row?.removed_at && 'removal';
      scene.due.follow('Workspaces', id, active ? { active, due_at } : undefined);
    });
    followTable(scene, 'Keys', (hash, row) => this.#onKey(hash, row));
    beforeEachCall(scene, () => this.#check());
  }

  #onWorkspace(id: string, row: Row | undefined): void {
    this.#changed.add(id);
    if (row === undefined) {
      this.purged.add(id);
      return;
    }
    const { live_keys, removed_at } = v.parse(workspaceSchema, row);
    this.#liveKeys.set(id, live_keys);
    if (removed_at === undefined || this.removed.has(id)) return;
    this.removed.set(id, this.#scene.now());
    const open = this.#openJobs.get(id)?.size ?? 0;
    if (open > 0) this.#scene.violate('I14', `${id} is deleted with ${open} open jobs`);
  }

  #onKey(hash: string, row: Row | undefined): void {
    const before = this.#keys.get(hash);
    if (before !== undefined) this.#changed.add(before.workspace_id);
    this.#keys.delete(hash);
    if (row === undefined) return;
    const key = v.parse(keySchema, row);
    this.#keys.set(hash, key);
    this.#changed.add(key.workspace_id);
  }

  /** A job of a workspace that is deleted never begins, or begins again. */
  sawJob(before: Job | undefined, { id, phase, workspace_id }: Job): void {
    const open = this.#openJobs.get(workspace_id) ?? new Set();
    this.#openJobs.set(workspace_id, open);
    if (phase === 'settled') open.delete(id);
    else open.add(id);
    if (before === undefined && this.removed.has(workspace_id))
      this.#scene.violate('I14', `${id} begins in ${workspace_id}, which is deleted`);
  }

  /** The row of an ended job keeps what reports show when it loses the rest with its workspace. */
  sawStripped(before: Job | undefined, row: Job): void {
    const { id, workspace_id } = row;
    const endedAt = Date.parse(before?.completed_at ?? '');
    const isTooEarly =
      this.#scene.now() < Math.max(endedAt, this.removed.get(workspace_id) ?? 0) + HOUR - INACCURACY;
    if (!this.removed.has(workspace_id) || before?.phase !== 'settled')
      this.#scene.violate('I14', `${id} is ${before?.phase} and is stripped`);
    else if (isTooEarly && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I14', `${id} is stripped while somebody may still write for it`);
    const changed = REPORTED.filter((name) => before?.[name] !== row[name]);
    if (changed.length > 0) this.#scene.violate('I14', `${id} is stripped of its ${changed}`);
  }

  #check(): void {
    for (const id of this.#changed) {
      if (id === DEFAULT_WORKSPACE_ID) continue;
      if (this.purged.has(id)) this.#expectNothing(id);
      else if (!this.removed.has(id)) this.#expectCounted(id);
      else this.#expectNoLiveKey(id);
    }
    this.#changed.clear();
  }

  #keysOf = (id: string): Key[] => [...this.#keys.values()].filter((key) => key.workspace_id === id);

  #liveKeysOf = (id: string, at: number): Key[] =>
    this.#keysOf(id).filter(
      ({ disabled, expires_at: end }) => !disabled && (end === null || Date.parse(end) > at),
    );

  #expectCounted(id: string): void {
    const live = this.#keysOf(id).filter(({ disabled }) => !disabled).length;
    const counted = this.#liveKeys.get(id);
    if (counted !== undefined && counted !== live)
      this.#scene.violate('I14', `${id} counts ${counted} live keys, and has ${live}`);
  }

  #expectNoLiveKey(id: string): void {
    const removedAt = (this.removed.get(id) ?? 0) + INACCURACY;
    const live = this.#liveKeysOf(id, removedAt);
    if (live.length > 0 && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I14', `${id} is deleted and has ${live.length} live keys`);
  }

  /** Whether nobody can use it. */
  isIdle = (id: string): boolean =>
    (this.#openJobs.get(id)?.size ?? 0) === 0 && this.#liveKeysOf(id, this.#scene.now()).length === 0;

  /** Looks at everything that is stored once more. */
  judgeEnd(): void {
    this.#check();
    for (const id of this.purged) this.#expectNothing(id);
  }

  #expectNothing(id: string): void {
    const { word } = this.#scene.tenants.find((tenant) => tenant.id === id) ?? {};
    const places = new Set<string>();
    for (const [place, text] of this.#everything()) {
      const isNamed = text.includes(id) && !REMAINS.has(place.replaceAll('-', ''));
      if (isNamed || (word !== undefined && text.includes(word))) places.add(place);
    }
    if (places.size > 0)
      this.#scene.violate('I14', `${id} is purged, but something is left in ${[...places]}`);
  }

  *#everything(): Generator<[place: string, text: string]> {
    const { world, cloud } = this.#scene;
    for (const table of world.dynamodb.tables())
      for (const item of table.items(true).all()) yield [table.name, JSON.stringify(item)];
    for (const path of ['Files-Bucket', 'Videos-Results']) {
      const { objects = [] } = world.s3.bucket(cloud.stage.name(path)) ?? {};
      for (const [key, { body }] of objects) yield [path, `${key} ${body.toString('latin1')}`];
    }
  }
}
