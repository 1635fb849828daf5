import { Link2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { Job } from '../api/types.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, textIn } from '../parts/form.tsx';
import { Loaded, MoreButton, NoneFound } from '../parts/loaded.tsx';
import { type DraftInput, promptOf } from './draft.ts';
import { Thumbnail } from './thumbnail.tsx';
import { useJobs } from './use-jobs.ts';

interface InputSourceProps {
  /** What the input is for, such as `First frame`. */
  readonly of: string;
  /** What it says. */
  readonly children: string;
  /** What an earlier video gives for it. */
  readonly gives?: 'video' | 'last frame';
  readonly onInput: (input: DraftInput) => void;
}

/** Takes an input from an address, or from a video of the workspace. */
export function InputSource({ of, gives, onInput, children }: InputSourceProps) {
  const [isOpen, setOpen] = useState(false);
  const take = (input: DraftInput) => {
    setOpen(false);
    onInput(input);
  };
  return (
    <>
      <button type="button" class="plain" aria-label={`${of}: ${children}`} onClick={() => setOpen(true)}>
        <Link2 />
        {children}
      </button>
      {isOpen && (
        <Dialog title={of} kind="wide" onClose={() => setOpen(false)}>
          <div class="stack">
            <AddressForm onInput={take} />
            {gives !== undefined && <VideoChoice gives={gives} onInput={take} />}
          </div>
        </Dialog>
      )}
    </>
  );
}

const AddressForm = ({ onInput }: Pick<InputSourceProps, 'onInput'>) => (
  <form
    class="columns"
    onSubmit={(event) => {
      event.preventDefault();
      const url = textIn(event.currentTarget, 'url');
      if (url !== undefined) onInput({ name: url, url });
    }}
  >
    <Field label="URL">
      {(field) => (
        <input {...field} name="url" type="url" required pattern="https://.*" placeholder="https://…" />
      )}
    </Field>
    <button type="submit">Use URL</button>
  </form>
);

interface VideoChoiceProps extends Pick<InputSourceProps, 'onInput'> {
  readonly gives: 'video' | 'last frame';
}

function VideoChoice({ gives, onInput }: VideoChoiceProps) {
  const list = useJobs({ status: 'completed' });
  const choose = (job: Job) =>
    onInput({
      name: gives === 'video' ? (promptOf(job) ?? job.id) : `Last frame of ${promptOf(job) ?? job.id}`,
      url: job.id,
      picture: job.thumbnail_urls?.[0] ?? undefined,
    });
  return (
    <Loaded query={list} what="videos">
      {({ pages }) => {
        const jobs = pages.flatMap(({ data }) => data);
        return (
          <>
            <h3>{gives === 'video' ? 'Your videos' : 'Last frame of a video'}</h3>
            {jobs.length === 0 && (
              <NoneFound list={list} what="completed videos">
                <p class="quiet">No completed videos yet.</p>
              </NoneFound>
            )}
            <ul class="choices">
              {jobs.map((job) => (
                <li key={job.id}>
                  <button type="button" class="choice" onClick={() => choose(job)}>
                    <Thumbnail job={job} />
                    <span title={promptOf(job)}>{promptOf(job) ?? job.id}</span>
                  </button>
                </li>
              ))}
            </ul>
            <MoreButton list={list} />
          </>
        );
      }}
    </Loaded>
  );
}
