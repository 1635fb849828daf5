import * as v from 'valibot';

export const WORKSPACE_RULE = 'must be the id (a UUID) or the slug of a workspace';

/** A workspace as callers name it in a query or a body. */
export const workspaceName = v.pipe(
  v.string(WORKSPACE_RULE),
  v.regex(/^[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*$/, WORKSPACE_RULE),
);
