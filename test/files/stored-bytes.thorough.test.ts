import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
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
const { PermissionDenied } = await import('../../functions/http/errors.ts');
const { dueFileSchema, objectKey } = await import('../../functions/files/file.ts');
const { FileStore, UPLOAD_MILLISECONDS } = await import('../../functions/files/file-store.ts');
const { receiveFile } = await import('../../functions/files/upload/receive-file.ts');
const { deleteFile, sweepFile } = await import('../../functions/files/remove-file.ts');
const { OverdueRows, sweepOverdue } = await import('../../functions/sweeping/sweep.ts');

const ALL = { after: undefined, limit: 1000 };
const QUOTA = 1_000;
const MOST_CALLS = 40;

beforeEach(() => begin());

/** A process of the stage that works with files. */
function start(name: string, quotaBytes = QUOTA) {
  const { process, dynamo, s3 } = world.startProcess(name);
  const Bucket = stage.name('Files-Bucket');
  const table = stage.name('Files-Table');
  const { now } = world.clock;
  const files = new FileStore(dynamo, table, now);
  const objects = {
    put: (Key: string) => {
      const chunks: Uint8Array[] = [];
      return {
        write: (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes)),
        end: async () => {
          await s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.concat(chunks) }));
          return { crc32: '' };
        },
        abort: async () => undefined,
      };
    },
    remove: async (Key: string) => void (await s3.send(new DeleteObjectCommand({ Bucket, Key }))),
  };
  const upload = () =>
    receiveFile(
      {
        body: Readable.from([formOf('Some words.\n')]),
        contentType: CONTENT_TYPE,
        workspaceId: 'ws',
        conditions: () => ({}),
        log: SILENT,
      },
      { files, objects, quotaBytes, newFileId: () => `gw_file_${crypto.randomUUID()}`, now },
    );
  const list = async () => (await files.list('ws', ALL)).files;
  const remove = async () => {
    const [file] = await list();
    const ports = { files, objects, newToken: () => crypto.randomUUID(), log: SILENT };
    return file !== undefined && deleteFile(file, ports);
  };
  const sweepOne = (file: DueFile) => sweepFile(file, { files, objects });
  const sweep = () =>
    sweepOverdue(
      { rows: new OverdueRows(dynamo, table), schema: dueFileSchema, graceMilliseconds: 0 },
      sweepOne,
      { now, tellUnreadable: () => undefined, log: SILENT },
    );
  const keys = async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key }) => Key);
  };
  const bytesOf = async (Key: string) =>
    (await (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()) ?? '';
  return { process, upload, remove, sweep, sweepOne, list, keys, bytesOf };
}

/** What the onlooker sees now; each listed file has all of its bytes. */
async function look() {
  world.faults = noFaults;
  const onlooker = start('onlooker');
  const files = await onlooker.list();
  for (const file of files) {
    expect(await onlooker.bytesOf(objectKey('ws', file.id))).toBe('Some words.\n');
  }
  return { files: files.length, objects: (await onlooker.keys()).length };
}

/** Whatever has happened: an hour later there is an object for each file, and no other. */
async function expectOrderInAnHour() {
  const before = await look();
  await world.clock.wait(UPLOAD_MILLISECONDS + 1);
  await start('sweeper').sweep();
  expect(await look()).toEqual({ files: before.files, objects: before.files });
  return before.files;
}

/** Ends with the work, or with the death of the process. */
async function outcomeOf({ process }: ReturnType<typeof start>, work: Promise<unknown>) {
  const done = work.then(
    () => 'done',
    () => 'failed',
  );
  return Promise.race([done, process.crashed.then(() => 'died')]);
}

/** From its nth call on, a process meets this fault: once, or for as long as the test lasts. */
const fromCall = (nth: number, name: string, fault: Fault, lasts: boolean) => {
  let calls = 0;
  return ({ process }: Call) => {
    if (process !== name) return undefined;
    calls++;
    return calls === nth || (lasts && calls > nth) ? fault : undefined;
  };
};

const FAULTS = ['crash before', 'crash after', 'error', 'answer lost', 'answer hangs'] as const;
const outages = FAULTS.flatMap((fault) => [
  [fault, 'once', false] as const,
  [fault, 'from then on', true] as const,
]);

describe('a file that is uploaded', () => {
  test.each(outages)('has its bytes if it is listed, with "%s" at any call, %s', async (fault, _, lasts) => {
    const outcomes = new Set<string>();
    for (let nth = 1; nth <= MOST_CALLS; nth++) {
      begin();
      const uploader = start('uploader');
      world.faults = fromCall(nth, 'uploader', fault, lasts);
      const outcome = await outcomeOf(uploader, uploader.upload());
      outcomes.add(outcome);
      const files = await expectOrderInAnHour();
      if (outcome === 'done') expect(files).toBe(1);
      if (world.journal.calls.filter(({ process }) => process === 'uploader').length < nth) break;
    }
    expect(outcomes).toContain('done');
  });

  test('that is refused leaves no object, and no bytes in the quota', async () => {
    const uploader = start('uploader', 15);
    await uploader.upload();
    await expect(uploader.upload()).rejects.toThrow(PermissionDenied);
    expect(await look()).toEqual({ files: 1, objects: 1 });
    await expectOrderInAnHour();
  });

  test('is not swept although an index that lags behind still shows it as due', async () => {
    const { upload, sweepOne } = start('uploader');
    const { id, created_at } = await upload();
    const due_at = Date.parse(created_at) + UPLOAD_MILLISECONDS;
    await sweepOne({ workspace_id: 'ws', id, size_bytes: 0, due_at });
    expect(await look()).toEqual({ files: 1, objects: 1 });
  });
});

describe('a file that is deleted', () => {
  test.each(outages)(
    'is never listed without its bytes, with "%s" at any call, %s',
    async (fault, _, lasts) => {
      const outcomes = new Set<string>();
      for (let nth = 1; nth <= MOST_CALLS; nth++) {
        begin();
        await start('uploader').upload();
        const deleter = start('deleter');
        world.faults = fromCall(nth, 'deleter', fault, lasts);
        const outcome = await outcomeOf(deleter, deleter.remove());
        outcomes.add(outcome);
        const files = await expectOrderInAnHour();
        if (outcome === 'done') expect(files).toBe(0);
        if (world.journal.calls.filter(({ process }) => process === 'deleter').length < nth) break;
      }
      expect(outcomes).toContain('done');
    },
  );

  test('is deleted once, however many ask at the same time', async () => {
    await start('uploader').upload();
    const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => start(`deleter-${i}`).remove()));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await look()).toEqual({ files: 0, objects: 0 });
  });
});
