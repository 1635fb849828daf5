import * as v from 'valibot';
import { type Answer, BOUNDARY, type Gateway } from './callers.ts';
import { type Command, chosen } from './history.ts';
import type { Scene } from './scene.ts';

/** A file that its uploader knows. */
interface KnownFile {
  readonly id: string;
  readonly tenant: number;
  readonly content: string;
  readonly expiresAt: number;
  /** `asked`: nobody can say whether it is there, unless the answer was that it is deleted. */
  deletion: 'none' | 'asked' | 'done';
}

/** What was known of a file when a request was sent. */
type Asked = Pick<KnownFile, 'deletion'> & { readonly at: number };

const uploadedSchema = v.object({ id: v.string(), expires_at: v.optional(v.string()) });
const listSchema = v.object({ data: v.array(v.object({ id: v.string() })), has_more: v.boolean() });

/** How wrong the clock of a machine may be that counts as right, and the longest request. */
const INACCURACY = 100;
const LONGEST_REQUEST = 30_000;

/** I13, from the answers: a file is there from its upload to its end, and then for nobody. */
export class FileClients {
  readonly #scene: Scene;
  readonly #files: KnownFile[] = [];
  #uploads = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async obey(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'upload':
        return this.#upload(command.tenant, command.seconds);
      case 'read file':
        return this.#read(chosen(this.#files, command.at), command.tenant);
      case 'file content':
        return this.#content(chosen(this.#files, command.at));
      case 'list files':
        return this.#list(command.tenant);
      case 'delete file':
        return this.#delete(chosen(this.#files, command.at));
    }
    return undefined;
  }

  /** Asks for everything once more, when nothing fails. */
  async judgeEnd(): Promise<void> {
    for (const file of this.#files) await this.#read(file);
    for (const tenant of new Set(this.#files.map((file) => file.tenant))) await this.#list(tenant);
    this.#scene.files.judgeEnd();
  }

  #ask(route: Parameters<Gateway['ask']>[0], tenant: number, asking: object): Promise<Answer> {
    const key = this.#scene.tenants[tenant]?.key ?? '';
    return this.#scene.gateway.ask(route, { key, ...asking });
  }

  async #upload(tenant: number, seconds: number | undefined): Promise<void> {
    const { word = '', id: workspace = '' } = this.#scene.tenants[tenant] ?? {};
    const content = `File ${this.#uploads++} of ${word}`;
    const expiry = seconds === undefined ? '' : part('name="expires_in_seconds"', String(seconds));
    const form = `${expiry}${part(`name="file"; filename="${word}.txt"`, content)}--${BOUNDARY}--\r\n`;
    const { status, body } = await this.#ask('upload-file', tenant, { form });
    if (status !== 200) return;
    const { id, expires_at } = v.parse(uploadedSchema, body);
    const expiresAt = expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
    const file: KnownFile = { id, tenant, content, expiresAt, deletion: 'none' };
    this.#files.push(file);
    this.#expectBytes(file, workspace);
  }

  async #read(file: KnownFile | undefined, asker = file?.tenant): Promise<void> {
    if (file === undefined || asker === undefined) return;
    const asked = this.#asked(file);
    const { status } = await this.#ask('get-file', asker, { path: { file: file.id } });
    if (asker !== file.tenant) {
      if (status === 200) this.#scene.violate('I10', `tenant ${asker} sees ${file.id} of ${file.tenant}`);
      return;
    }
    if (status === 200) this.#expectNotOver(file, asked);
    if (status === 404) this.#expectNotThere(file);
  }

  async #content(file: KnownFile | undefined): Promise<void> {
    if (file === undefined) return;
    const asked = this.#asked(file);
    const { status } = await this.#ask('get-file-content', file.tenant, { path: { file: file.id } });
    if (status === 404) this.#expectNotThere(file);
    if (status !== 302) return;
    this.#expectNotOver(file, asked);
    this.#expectBytes(file, this.#scene.tenants[file.tenant]?.id ?? '');
  }

  async #list(tenant: number): Promise<void> {
    const before = this.#files.map((file) => [file, this.#asked(file)] as const);
    const { status, body } = await this.#ask('list-files', tenant, {});
    if (status !== 200) return;
    const { data, has_more } = v.parse(listSchema, body);
    const listed = new Set(data.map(({ id }) => id));
    for (const [file, asked] of before) {
      const isListed = listed.has(file.id);
      if (isListed && file.tenant !== tenant)
        this.#scene.violate('I10', `tenant ${tenant} is shown ${file.id} of ${file.tenant}`);
      else if (isListed) this.#expectNotOver(file, asked);
      else if (file.tenant === tenant && !has_more) this.#expectNotThere(file);
    }
  }

  async #delete(file: KnownFile | undefined): Promise<void> {
    if (file === undefined) return;
    const isFirst = file.deletion === 'none';
    if (isFirst) file.deletion = 'asked';
    const { status } = await this.#ask('delete-file', file.tenant, { path: { file: file.id } });
    if (status === 200) file.deletion = 'done';
    if (status === 404 && isFirst) this.#expectExpired(file);
  }

  #asked = ({ deletion }: KnownFile): Asked => ({ deletion, at: this.#scene.now() });

  #expectNotOver({ id, expiresAt }: KnownFile, { deletion, at }: Asked): void {
    if (deletion === 'done') this.#scene.violate('I13', `${id} is seen after its deletion`);
    if (at > expiresAt + INACCURACY && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I13', `${id} is seen after its end`);
  }

  #expectNotThere(file: KnownFile): void {
    if (file.deletion === 'none') this.#expectExpired(file);
  }

  #expectExpired({ id, expiresAt }: KnownFile): void {
    if (this.#scene.now() < expiresAt - INACCURACY && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I13', `${id} was uploaded and is not found`);
  }

  /** Of a file that nobody is deleting and that does not end soon. */
  #expectBytes({ id, content, deletion, expiresAt }: KnownFile, workspace: string): void {
    if (deletion !== 'none' || this.#scene.now() > expiresAt - LONGEST_REQUEST) return;
    const bytes = this.#scene.files.bytesOf(workspace, id)?.toString();
    if (bytes !== content && !this.#scene.weather.hadWrongClocks)
      this.#scene.violate('I13', `${id} was uploaded as "${content}" and is ${JSON.stringify(bytes)}`);
  }
}

const part = (name: string, content: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\n${content}\r\n`;
