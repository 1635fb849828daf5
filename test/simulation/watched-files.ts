import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { storedFileSchema } from '../../functions/files/file.ts';
import { beforeEachCall, followTable, type Row } from './followed-tables.ts';
import type { Scene } from './scene.ts';

const rowSchema = v.object({ ...storedFileSchema.entries, announced: v.exactOptional(v.boolean()) });
const usageSchema = v.object({ workspace_id: v.string(), bytes: v.number() });

/** I13, from the rows and objects: each workspace's count of bytes adds up too. */
export class WatchedFiles {
  readonly #scene: Scene;
  /** The files' rows and the workspaces' counts, by the keys of the objects. */
  readonly #rows = new Map<string, Row>();
  readonly #changed = new Set<string>();
  readonly #objects: Map<string, { readonly body: Buffer }>;

  constructor(scene: Scene) {
    this.#scene = scene;
    const { world, cloud, due } = scene;
    followTable(scene, 'Files-Table', (key, row) => {
      due.follow('Files-Table', key, row);
      if (row === undefined) this.#rows.delete(key);
      else this.#rows.set(key, row);
      this.#changed.add(key);
    });
    this.#objects = this.#follow(world.s3.bucket(cloud.stage.name('Files-Bucket'))?.objects);
    beforeEachCall(scene, () => this.#check());
  }

  /** What deleted workspaces had goes row by row. */
  #isRemoved = (workspace: string): boolean => this.#scene.workspaces.removed.has(workspace);

  #follow<Stored>(objects = new Map<string, Stored>()): Map<string, Stored> {
    const [set, remove] = [objects.set.bind(objects), objects.delete.bind(objects)];
    objects.set = (key, object) => {
      this.#changed.add(key);
      return set(key, object);
    };
    objects.delete = (key) => {
      this.#changed.add(key);
      return remove(key);
    };
    return objects;
  }

  /** Once nothing is due any more, only the bytes of files are left that somebody can see. */
  judgeEnd(): void {
    this.#check();
    for (const key of this.#objects.keys()) {
      const row = this.#rows.get(key);
      if (row === undefined || !this.#isSeen(row))
        this.#scene.violate('I13', `${key} is gone, but not its bytes`);
    }
  }

  #check(): void {
    for (const key of this.#changed) this.#checkFile(key);
    const workspaces = new Set([...this.#changed].map((key) => key.split('/')[0] ?? ''));
    this.#changed.clear();
    for (const id of workspaces) if (!this.#isRemoved(id)) this.#checkCount(id);
  }

  #checkFile(key: string): void {
    const [row, object] = [this.#rows.get(key), this.#objects.get(key)];
    if (row === undefined) {
      if (object !== undefined) this.#scene.violate('I13', `${key} has bytes and no row`);
      return;
    }
    if (key.endsWith('/#usage') || !this.#isSeen(row) || this.#isRemoved(String(row.workspace_id))) return;
    const { size_bytes, crc32: sum, filename } = v.parse(rowSchema, row);
    if (object?.body.length !== size_bytes || sum !== checksum(object.body))
      this.#scene.violate('I13', `${key} is listed with ${size_bytes} bytes and has ${object?.body.length}`);
    if (`${object?.body}.txt` !== filename)
      this.#scene.violate(
        'I13',
        `${key} is ${JSON.stringify(object?.body.toString())}, and named ${filename}`,
      );
  }

  #isSeen(row: Row): boolean {
    const { announced, expires_at } = v.parse(rowSchema, row);
    return announced !== true && (expires_at === undefined || Date.parse(expires_at) > this.#scene.now());
  }

  #checkCount(workspace: string): void {
    const own = [...this.#rows].filter(([key]) => key.startsWith(`${workspace}/gw_file_`));
    const sum = own.reduce((total, [, row]) => total + v.parse(rowSchema, row).size_bytes, 0);
    const usage = this.#rows.get(`${workspace}/#usage`);
    const counted = usage === undefined ? 0 : v.parse(usageSchema, usage).bytes;
    if (counted !== sum)
      this.#scene.violate('I13', `${workspace} counts ${counted} bytes of files, and has ${sum}`);
  }
}

function checksum(bytes: Buffer): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString('base64');
}
