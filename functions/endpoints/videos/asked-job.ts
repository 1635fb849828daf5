import type * as v from 'valibot';
import { systemClock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import { fileStore, workspaceStore } from '../../deployed/stores.ts';
import { chooserPorts, jobStore } from '../../deployed/videos.ts';
import { type AllowedHosts, parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import { type AuthenticatedCall, jsonBody, type Principal, query } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { validate } from '../../http/validation.ts';
import { newId } from '../../ids.ts';
import { yieldsOf } from '../../videos/catalogue/fit.ts';
import {
  sessionHeader,
  type VideoRequest,
  videoRequestSchema,
} from '../../videos/catalogue/video-request.ts';
import { earlierVideos } from '../../videos/inputs/earlier-video.ts';
import type { JobWithRequest } from '../../videos/jobs/job.ts';
import { submitQuery } from '../../videos/jobs/job-queries.ts';
import { newJob } from '../../videos/jobs/new-job.ts';
import { type Caller, chooseForCaller } from '../../videos/routing/choose-for-caller.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { actingWorkspace } from '../../workspaces/find-workspace.ts';

/** What the look at a request's images, clips and files needs. */
export const inputPorts = () => ({
  files: fileStore(),
  jobs: jobStore(),
  // Loaded when it is needed: few requests contain an image.
  imageType: async (bytes: Uint8Array) => {
    const { imageType } = await import('../../videos/inputs/inline-images.ts');
    return imageType(bytes);
  },
  allowedHosts: parseAllowedHosts(setting('privateHosts')),
  now: systemClock,
});

/** Large enough for inline images. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** The form in which a body says what it asks for. */
export interface Wording {
  readonly schema: v.GenericSchema<unknown, VideoRequest>;
  /** In bytes of JSON. */
  readonly limit: number;
}
const OURS: Wording = { schema: videoRequestSchema, limit: BODY_LIMIT };

export interface AskedVideo {
  readonly request: VideoRequest;
  /** The workspace that the job would run in. */
  readonly workspaceId: string;
}

/** Reads what a submit asks for, with the settings of this deployment. */
export function askedVideos() {
  const workspaces = workspaceStore();
  const chooser = chooserPorts();
  const inputs = { jobs: jobStore(), now: systemClock };
  const allowedHosts = parseAllowedHosts(setting('privateHosts'));
  return {
    /** @throws InvalidRequest, NotFound */
    async read(call: AuthenticatedCall, { schema, limit }: Wording = OURS): Promise<AskedVideo> {
      const request = jsonBody(call, schema, limit);
      const { workspace_id: inQuery } = query(call, submitQuery);
      const named = inQuery ?? request.workspace_id;
      const noSuch = () => new NotFound('workspace_id: no such workspace', { metadata: WORKSPACE_ID });
      return { request, workspaceId: await actingWorkspace(call.principal, named, workspaces, noSuch) };
    },

    /** The job, with its inputs as they came. @throws InvalidRequest, NotFound */
    async job({ request, workspaceId }: AskedVideo, call: AuthenticatedCall): Promise<JobWithRequest> {
      const callbackUrl = callbackOf(request, allowedHosts);
      const asked = { ...request, earlier: await earlierVideos(request, workspaceId, inputs) };
      const choice = await chooseForCaller(asked, callerIn(workspaceId, call.principal), chooser);
      call.warnings.push(...yieldsOf(request, choice.candidates[0].offer));
      const now = systemClock();
      return newJob(
        {
          id: newId.video(now),
          principal: { ...call.principal, workspaceId },
          model: request.model,
          choice,
          options: request.provider.options,
          callbackUrl,
          publicUrl: call.publicUrl,
          metadata: request.metadata,
          attribution: attributionOf(request, call),
          warnings: call.warnings,
        },
        now,
      );
    },
  };
}

const callbackOf = ({ callback_url: url }: VideoRequest, allowedHosts: AllowedHosts) =>
  url === undefined ? undefined : checkedCallbackUrl(url, 'callback_url', allowedHosts);

function attributionOf({ user, session_id, trace }: VideoRequest, { headers }: AuthenticatedCall) {
  const { 'x-session-id': named } = validate(sessionHeader, headers);
  return defined({ user, session_id: session_id ?? named, trace });
}

/** A guardrail belongs to one workspace: the one that a key names does not apply where the key acts in another. */
function callerIn(
  workspaceId: string,
  { keyHash, creator, workspaceId: home, guardrailId = null }: Principal,
): Caller {
  return { workspaceId, keyHash, creator, guardrailId: workspaceId === home ? guardrailId : null };
}

const WORKSPACE_ID = { path: 'workspace_id' };
