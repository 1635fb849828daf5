import * as v from 'valibot';
import { openIfThere } from '../../aws/buckets.ts';
import { streamHandler } from '../../aws/consumers.ts';
import { kms } from '../../aws/kms.ts';
import { s3 } from '../../aws/s3.ts';
import { contentStore, fileStore, workspaceStore } from '../../deployed/stores.ts';
import { jobStore } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { endedJobSchema, type LogPorts, logGeneration } from '../../generations/log-generation.ts';
import { sealContent } from '../../generations/sealed-content.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';

const days = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1));

const kmsKeyId = setting('generationLogsKmsKey');
const bucket = setting('resultsBucket');
const ports: LogPorts = {
  workspaces: workspaceStore(),
  jobs: jobStore(),
  contents: contentStore(),
  inputs: { files: fileStore(), openInline: (key) => openIfThere(s3, bucket, key) },
  seal: (owner, text) => sealContent(kms, kmsKeyId, owner, text),
  keptDays: setting('generationLogDays', days),
  log,
};

export const handler = streamHandler(endedJobSchema, { log, tellUnreadable }, (ended) =>
  logGeneration(ended, ports),
);
