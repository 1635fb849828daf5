import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useFilters } from '../parts/address.ts';
import { Loaded, Loading } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { StatusBadge } from '../parts/values.tsx';
import { type Draft, draftAgain, draftFrom, EMPTY_DRAFT, promptOf } from './draft.ts';
import { NoModels, useModels } from './models.tsx';
import { Result } from './result.tsx';
import { keptRequest } from './sent-requests.ts';
import { SubmitForm } from './submit-form.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { useJob, useJobs } from './use-jobs.ts';

/** The form, what it made, and what was made before. */
export function PlaygroundPage() {
  const [{ job, from, again }, show] = useFilters('job', 'from', 'again');
  const models = useModels();
  const result = useRef<HTMLDivElement>(null);
  const showResult = (id: string) => {
    show({ job: id });
    // On a phone it is below the form.
    result.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Page title="Playground">
      <Loaded query={models} what="models" tall>
        {(known) =>
          known[0] === undefined ? (
            <NoModels title="No models available" />
          ) : (
            <div class="playground">
              <Start key={`${from} ${again}`} from={from} again={again}>
                {(draft, model) => (
                  <SubmitForm models={known} draft={draft} model={model} onSubmitted={showResult} />
                )}
              </Start>
              <div ref={result}>
                <Result key={job} jobId={job} />
              </div>
            </div>
          )
        }
      </Loaded>
      <History current={job} />
    </Page>
  );
}

interface StartProps {
  /** A video that the new one continues. */
  readonly from: string | undefined;
  /** A job to make once more. */
  readonly again: string | undefined;
  readonly children: (draft: Draft, model: string | undefined) => ComponentChildren;
}

/** What the form holds at first. */
function Start({ from, again, children }: StartProps) {
  const [request] = useState(() => (again === undefined ? undefined : keptRequest(again)));
  if (again !== undefined && request === undefined) return <StartOfJob id={again}>{children}</StartOfJob>;
  if (request !== undefined) return <>{children(draftAgain(request, undefined), request.model)}</>;
  return <>{children(from === undefined ? EMPTY_DRAFT : draftFrom(from), undefined)}</>;
}

/** Of a job that was not submitted from this tab. */
function StartOfJob({ id, children }: Pick<StartProps, 'children'> & { readonly id: string }) {
  const job = useJob(id);
  if (job.data === undefined && job.error === null) return <Loading what="the video" tall />;
  return <>{children(draftAgain(undefined, job.data), job.data?.model)}</>;
}

const MOST = 12;

/** The latest videos of the workspace; each opens in the place of the result. */
function History({ current }: { readonly current: string | undefined }) {
  const list = useJobs({});
  return (
    <Section title="History">
      <Loaded query={list} what="videos">
        {({ pages: [first] }) =>
          first === undefined || first.data.length === 0 ? (
            <p class="quiet">Your videos appear here.</p>
          ) : (
            <ul class="choices">
              {first.data.slice(0, MOST).map((job) => (
                <li key={job.id}>
                  <Link
                    href={`/playground?again=${job.id}&job=${job.id}`}
                    class="choice"
                    aria-current={job.id === current}
                  >
                    <Thumbnail job={job} />
                    <span title={promptOf(job)}>{promptOf(job) ?? job.id}</span>
                    <StatusBadge status={job.status} />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
