import { Link } from 'wouter-preact';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { StatusBadge } from '../parts/values.tsx';
import { promptOf } from './draft.ts';
import { Thumbnail } from './thumbnail.tsx';
import { useJobs } from './use-jobs.ts';

const MOST = 12;

/** The latest videos of the workspace; each opens in the place of the result. */
export function History({ current }: { readonly current: string | undefined }) {
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
                    <span>{promptOf(job) ?? job.id}</span>
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
