import * as v from 'valibot';

/** What a worker is sent. */
export const taskSchema = v.object({
  testFile: v.string(),
  mutants: v.array(
    v.object({
      id: v.number(),
      file: v.string(),
      start: v.number(),
      end: v.number(),
      line: v.number(),
      from: v.string(),
      to: v.string(),
    }),
  ),
});
export type Task = v.InferOutput<typeof taskSchema>;

/** What it says, in the order in which it happens. */
export const saidSchema = v.union([
  v.object({ patience: v.number() }),
  v.object({ reached: v.array(v.number()), leftOut: v.array(v.string()) }),
  v.object({ begun: v.number() }),
  v.object({ id: v.number(), verdict: v.picklist(['killed', 'survived', 'again']) }),
]);
export type Said = v.InferOutput<typeof saidSchema>;
