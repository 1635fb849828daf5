import * as v from 'valibot';

/** What the tests and the emulator's extension read in `GENWAY_SECOND_ENGINES`. */
export const announcedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    dynamodb: v.string(),
    s3: v.string(),
    sqs: v.string(),
    /** The root of the S3 server, which checks signatures. */
    root: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
    /** The file in which the extension notes each request. */
    requests: v.string(),
  }),
);
export type AnnouncedEngines = v.InferOutput<typeof announcedSchema>;
