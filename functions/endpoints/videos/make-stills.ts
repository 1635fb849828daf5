import * as v from 'valibot';
import { streamedText, streamHandler } from '../../aws/consumers.ts';
import { s3 } from '../../aws/s3.ts';
import { jobStore } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';
import { InputObjects } from '../../videos/inputs/input-objects.ts';
import { makeStills } from '../../videos/stills/make-stills.ts';
import { picturesOf } from '../../videos/stills/pictures.ts';

const ports = {
  jobs: jobStore(),
  objects: new InputObjects(s3),
  bucket: setting('resultsBucket'),
  picturesOf,
  log,
};

/** Of the event of a job's end. */
const completedSchema = v.object({ job_id: streamedText });

export const handler = streamHandler(completedSchema, { log, tellUnreadable }, ({ job_id }) =>
  makeStills(job_id, ports),
);
