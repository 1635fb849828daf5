import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DueFile } from '../../functions/files/file.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { SILENT } from '../deployed/stage-process.ts';
import { AwsWorld, type Call, type Fault, noFaults } from '../engines/index.ts';
import { CONTENT_TYPE, formOf } from './upload/memory-ports.ts';

let world: AwsWorld;
let stage: DeployedStage;

function begin(): void {
  world = new AwsWorld({ requestTimeout: 2_000 });
  waitBy(world);
  stage = new DeployedStage(world);
}

begin();
const { crc32 } = await import('node:zlib');
const { dueFileSchema, objectKey } = await import('../../functions/files/file.ts');
const { FileStore, StorageFull, UPLOAD_MILLISECONDS } = await import('../../functions/files/file-store.ts');
const { receiveFile } = await import('../../functions/files/upload/receive-file.ts');
const { newId } = await import('../../functions/ids.ts');
const { UploadStore } = await import('../../functions/files/parts/upload-store.ts');
const { addPart } = await import('../../functions/files/parts/add-part.ts');
const { completeUpload } = await import('../../functions/files/parts/complete-upload.ts');
const { cancelUpload, sweepUpload } = await import('../../functions/files/parts/end-upload.ts');
const { endOfUpload, isUploadId, MOST_PARTS } = await import('../../functions/files/parts/upload.ts');
const { deleteFile, sweepFile } = await import('../../functions/files/remove-file.ts');
const { OverdueRows, sweepOverdue } = await import('../../functions/sweeping/sweep.ts');

const QUOTA = 1_000;
const HOUR = 3_600_000;
const ALL = { after: undefined, limit: 1000 };
/** Two of the parts have the same bytes. */
const WORDS = ['Some words, ', 'Some words, ', 'and some more.\n'];
const TEXT = WORDS.join('');
const swapped = ([one = '', two = '', ...rest]: string[]) => [two, one, ...rest];
const MOST_CALLS = 60;
/** A file that failed is swept after an hour. An upload has ended then; its parts are swept an hour later. */
const FILE_HOURS = 1;
const UPLOAD_HOURS = 2;

interface Upload {
  readonly workspace_id: string;
  readonly id: string;
}

beforeEach(() => begin());

/** A process of the stage that works with files. */
function start(name: string, quotaBytes = QUOTA) {
  const { process, dynamo, s3 } = world.startProcess(name);
  const Bucket = stage.name('Files-Bucket');
  const table = stage.name('Files-Table');
  const { now } = world.clock;
  const files = new FileStore(dynamo, table, now);
  const uploads = new UploadStore(dynamo, table, files, now);
  const objects = {
    put: (Key: string) => {
      const chunks: Uint8Array[] = [];
      return {
        write: (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes)),
        end: async () => {
          const Body = Buffer.concat(chunks);
          await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
          return { crc32: String(crc32(Body)) };
        },
        abort: async () => undefined,
      };
    },
    remove: async (Key: string) => void (await s3.send(new DeleteObjectCommand({ Bucket, Key }))),
  };
  const open = async (Key: string) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key })).catch((error) => {
      if (error.name === 'NoSuchKey') return { Body: undefined };
      throw error;
    });
    return Body && Readable.from([await Body.transformToByteArray()]);
  };
  const made = {
    newFileId: () => newId.file(now()),
    newPartId: () => newId.part(now()),
    newToken: () => crypto.randomUUID(),
  };
  const ports = { files, uploads, objects, open, now, quotaBytes, log: SILENT, ...made };
  const upload = () => {
    const body = Readable.from([formOf(TEXT)]);
    const request = {
      body,
      contentType: CONTENT_TYPE,
      workspaceId: 'ws',
      conditions: () => ({}),
      log: SILENT,
    };
    return receiveFile(request, ports);
  };
  const list = async () => (await files.list('ws', ALL)).files;
  const remove = async () => {
    const [file] = await list();
    return file !== undefined && deleteFile(file, ports);
  };
  const sweepOne = (file: DueFile) => sweepFile(file, ports);
  const announce = async (bytes = TEXT.length) => {
    const created_at = now().toISOString();
    const upload = {
      ...{ id: newId.upload(now()), workspace_id: 'ws', filename: 'words.txt', purpose: 'user_data' },
      ...{ status: 'pending' as const, size_bytes: bytes, created_at, received: 0, parts: {} },
      due_at: endOfUpload({ created_at }).getTime(),
    };
    await uploads.begin(upload, quotaBytes, {});
    return { workspace_id: 'ws', id: upload.id };
  };
  const add = async (upload: Upload, text: string) => {
    const body = Readable.from([
      Buffer.from(
        `--b\r\ncontent-disposition: form-data; name="data"; filename="p"\r\n\r\n${text}\r\n--b--\r\n`,
      ),
    ]);
    const request = { body, contentType: 'multipart/form-data; boundary=b', upload, log: SILENT };
    return (await addPart(request, ports)).id;
  };
  const complete = (upload: Upload, partIds: readonly string[]) =>
    completeUpload({ upload, partIds, claims: [], conditions: () => ({}), log: SILENT }, ports);
  const cancel = (upload: Upload) => cancelUpload(upload, ports);
  const sweep = () =>
    sweepOverdue(
      { rows: new OverdueRows(dynamo, table), schema: dueFileSchema, graceMilliseconds: 0 },
      (due) => (isUploadId(due.id) ? sweepUpload : sweepFile)(due, ports),
      { now, tellUnreadable: () => undefined, log: SILENT },
    );
  const whole = async () => {
    const upload = await announce();
    const ids = [];
    for (const words of WORDS) ids.push(await add(upload, words));
    return { upload, ids };
  };
  const look = async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    const usage = { TableName: table, Key: { workspace_id: 'ws', id: '#usage' } };
    const counted = (await dynamo.send(new GetCommand(usage))).Item?.bytes ?? 0;
    const listed = await list();
    for (const { id } of listed) expect(await textOf(objectKey('ws', id))).toBe(TEXT);
    return { files: listed.length, objects: Contents.length, counted };
  };
  const textOf = async (Key: string) =>
    (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
  return { process, upload, remove, sweepOne, announce, add, complete, cancel, sweep, whole, look };
}

/** What the onlooker sees now; each listed file has all of its bytes. */
function look() {
  world.faults = noFaults;
  return start('onlooker').look();
}

/** Whatever has happened: after an hour the count is right, and after these hours there is an object for each file only. */
async function expectOrder(hours = UPLOAD_HOURS) {
  const { files } = await look();
  const counted = files * TEXT.length;
  for (let hour = 0; hour < hours; hour++) {
    await world.clock.wait(UPLOAD_MILLISECONDS + 1);
    await start('sweeper').sweep();
    expect(await look()).toMatchObject({ files, counted });
  }
  expect(await look()).toEqual({ files, objects: files, counted });
  return files;
}

/** Ends with the work, or with the death of the process. */
async function outcomeOf({ process }: ReturnType<typeof start>, work: Promise<unknown>) {
  const done = work.then(
    () => 'done',
    () => 'failed',
  );
  return Promise.race([done, process.crashed.then(() => 'died')]);
}

const FAULTS = ['crash before', 'crash after', 'error', 'answer lost', 'answer hangs'] as const;
const outages = FAULTS.flatMap((fault) => [
  [fault, 'once', false] as const,
  [fault, 'from then on', true] as const,
]);

type Process = ReturnType<typeof start>;

/** Lets a process do this work, with a fault at each of its calls in turn. Whatever happens, order comes of itself. */
async function atEachCall(
  fault: Fault,
  lasts: boolean,
  prepare: (before: Process) => Promise<(caller: Process) => Promise<unknown>>,
  expected: readonly number[],
  hours = UPLOAD_HOURS,
) {
  const outcomes = new Set<string>();
  for (let nth = 1; nth <= MOST_CALLS; nth++) {
    begin();
    const act = await prepare(start('before'));
    const caller = start('caller');
    let calls = 0;
    world.faults = ({ process }: Call) => {
      if (process !== 'caller') return undefined;
      calls++;
      return calls === nth || (lasts && calls > nth) ? fault : undefined;
    };
    const outcome = await outcomeOf(caller, act(caller));
    outcomes.add(outcome);
    const files = await expectOrder(hours);
    if (outcome === 'done') expect(expected).toContain(files);
    if (calls < nth) break;
  }
  expect(outcomes).toContain('done');
}

describe('nothing is lost, and no bytes are left over, with a fault at any call', () => {
  test.each(outages)('while a file is uploaded: "%s", %s', (fault, _, lasts) =>
    atEachCall(fault, lasts, async () => (caller) => caller.upload(), [1], FILE_HOURS),
  );

  test.each(outages)('while a file is deleted: "%s", %s', (fault, _, lasts) =>
    atEachCall(
      fault,
      lasts,
      async (before) => {
        await before.upload();
        return (caller) => caller.remove();
      },
      [0],
      FILE_HOURS,
    ),
  );

  test.each(outages)('while an upload begins: "%s", %s', (fault, _, lasts) =>
    atEachCall(fault, lasts, async () => (caller) => caller.announce(), [0]),
  );

  test.each(outages)('while a part is added: "%s", %s', (fault, _, lasts) =>
    atEachCall(
      fault,
      lasts,
      async (before) => {
        const upload = await before.announce();
        return (caller) => caller.add(upload, TEXT);
      },
      [0],
    ),
  );

  test.each(outages)('while an upload is completed: "%s", %s', (fault, _, lasts) =>
    atEachCall(
      fault,
      lasts,
      async (before) => {
        const { upload, ids } = await before.whole();
        return (caller) => caller.complete(upload, ids);
      },
      [1],
    ),
  );

  test.each(outages)('while an upload is cancelled: "%s", %s', (fault, _, lasts) =>
    atEachCall(
      fault,
      lasts,
      async (before) => {
        const { upload } = await before.whole();
        return (caller) => caller.cancel(upload);
      },
      [0],
    ),
  );

  test.each(outages)('while an expired upload is swept: "%s", %s', (fault, _, lasts) =>
    atEachCall(
      fault,
      lasts,
      async (before) => {
        await before.whole();
        await world.clock.wait(HOUR + 1);
        return (caller) => caller.sweep();
      },
      [0],
    ),
  );

  test('and a part that a client sends again, because it heard no answer, is in the file once', async () => {
    for (let nth = 1; nth <= 4; nth++) {
      for (const fault of ['crash before', 'crash after'] as const) {
        begin();
        const client = start('caller');
        const upload = await client.announce();
        const [one = '', two = '', three = ''] = WORDS;
        const first = await client.add(upload, one);
        let calls = 0;
        world.faults = ({ process }) => (process === 'caller' && ++calls === nth ? fault : undefined);
        expect(await outcomeOf(client, client.add(upload, two))).toBe('died');
        world.faults = noFaults;
        const again = await start('again').add(upload, two);
        const last = await start('again').add(upload, three);
        await start('again').complete(upload, [first, again, last]);
        expect(await expectOrder()).toBe(1);
      }
    }
  });
});

describe('a file', () => {
  const whole = { files: 1, objects: 1, counted: TEXT.length };

  test('that is refused leaves no object, and no bytes in the quota', async () => {
    const uploader = start('uploader', TEXT.length + 2);
    await uploader.upload();
    await expect(uploader.upload()).rejects.toThrow(StorageFull);
    expect(await look()).toEqual(whole);
    await expectOrder(FILE_HOURS);
  });

  test('is not swept although an index that lags behind still shows it as due', async () => {
    const { upload, sweepOne } = start('uploader');
    const { id, created_at } = await upload();
    const due_at = Date.parse(created_at) + UPLOAD_MILLISECONDS;
    await sweepOne({ workspace_id: 'ws', id, size_bytes: 0, due_at });
    expect(await look()).toEqual(whole);
  });

  test('is deleted once, however many ask at the same time', async () => {
    await start('uploader').upload();
    const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => start(`deleter-${i}`).remove()));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await look()).toEqual({ files: 0, objects: 0, counted: 0 });
  });
});

describe('an upload in parts', () => {
  test('takes its room when it begins, and gives it back if it becomes no file', async () => {
    const { announce, cancel } = start('client', 2 * TEXT.length);
    const first = await announce();
    await announce();
    expect(await look()).toEqual({ files: 0, objects: 0, counted: 2 * TEXT.length });
    await expect(announce()).rejects.toThrow(StorageFull);
    await cancel(first);
    await announce();
    expect((await look()).counted).toBe(2 * TEXT.length);
  });

  test('takes no more bytes than twice what it has announced, from however many parts at once', async () => {
    const client = start('client');
    const upload = await client.announce(9);
    const parts = Array.from({ length: 8 }, (_, i) => start(`client-${i}`).add(upload, 'four'));
    const outcomes = await Promise.allSettled(parts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await client.add(upload, 'x');
    await expect(client.add(upload, 'four')).rejects.toThrow('the upload can receive only 1 more byte, ');
    expect(await look()).toEqual({ files: 0, objects: 5, counted: 9 });
  });

  test('takes as many parts as one completion reads, and no more, from however many clients at once', async () => {
    const client = start('client');
    const upload = await client.announce(MOST_PARTS + 8);
    const parts = Array.from({ length: MOST_PARTS + 8 }, () => client.add(upload, 'x'));
    const outcomes = await Promise.allSettled(parts);
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refusals).toHaveLength(8);
    for (const refusal of refusals) expect(refusal.message).toMatch(`at most ${MOST_PARTS} parts`);
    expect(await look()).toEqual({ files: 0, objects: MOST_PARTS, counted: MOST_PARTS + 8 });
  });

  test('is completed once, however many ask at the same time, and all get the same answer', async () => {
    const { upload, ids } = await start('client').whole();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => start(`client-${i}`).complete(upload, ids)),
    );
    expect(new Set(answers.map(({ file }) => file?.id)).size).toBe(1);
    expect(await look()).toEqual({ files: 1, objects: 1, counted: TEXT.length });
    expect((await start('late').complete(upload, ids)).file).toEqual(answers[0]?.file);
    await expect(start('late').complete(upload, [ids.join()])).rejects.toThrow('part_ids');
    await expectOrder();
  });

  test.each<[string, number, (other: Process, upload: Upload, ids: string[]) => Promise<unknown>]>([
    ['cancelled', 0, (other, upload) => other.cancel(upload)],
    ['completed otherwise', 1, (other, upload, ids) => other.complete(upload, swapped(ids))],
  ])('is either completed or %s, if both are asked for at the same time', async (_, filesOfOther, act) => {
    for (let pause = 0; pause < 12; pause++) {
      begin();
      const client = start('client');
      const { upload, ids } = await client.whole();
      const other = world.clock.wait(pause * 10).then(() => act(start('other'), upload, ids));
      const both = await Promise.allSettled([client.complete(upload, ids), other]);
      const refusals = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refusals).toEqual([expect.objectContaining({ status: 400 })]);
      expect(await expectOrder()).toBe(both[0].status === 'fulfilled' ? 1 : filesOfOther);
    }
  });

  test('is completed or has expired, if it is swept meanwhile', async () => {
    const seen = new Set<number>();
    for (let early = 10; early <= 120; early += 10) {
      begin();
      const client = start('client');
      const begun = world.clock.now().getTime();
      const { upload, ids } = await client.whole();
      await world.clock.wait(begun + HOUR - early - world.clock.now().getTime());
      const sweep = world.clock.wait(early + 1).then(() => start('sweeper').sweep());
      const [completed] = await Promise.allSettled([client.complete(upload, ids), sweep]);
      if (completed.status === 'rejected') expect(completed.reason).toMatchObject({ status: 400 });
      const files = await expectOrder();
      expect(files).toBe(completed.status === 'fulfilled' ? 1 : 0);
      seen.add(files);
    }
    expect(seen.size).toBe(2);
  });

  test('is completed without a part that is added meanwhile', async () => {
    for (let pause = 0; pause < 12; pause++) {
      begin();
      const client = start('client');
      const { upload, ids } = await client.whole();
      const late = world.clock.wait(pause * 10).then(() => start('other').add(upload, 'late'));
      const [completed, added] = await Promise.allSettled([client.complete(upload, ids), late]);
      expect(completed.status).toBe('fulfilled');
      if (added.status === 'rejected') expect(added.reason).toMatchObject({ status: 400 });
      expect(await expectOrder()).toBe(1);
    }
  });

  test('leaves no object of a part that arrives after its end', async () => {
    const client = start('client');
    const upload = await client.announce();
    const straggler = start('straggler');
    world.faults = ({ process, operation }) =>
      process === 'straggler' && operation === 'PutObject' ? 'answer hangs' : undefined;
    const late = outcomeOf(straggler, straggler.add(upload, TEXT));
    await client.cancel(upload);
    await late;
    await expectOrder();
  });
});
