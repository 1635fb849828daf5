import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Page } from './parts/page.tsx';

/** Says so where a page breaks, so that the way to the others stays. The browser's console has the cause. */
export function PageErrors({ children }: { readonly children: ComponentChildren }) {
  const [error, tryAgain] = useErrorBoundary((cause) => reportError(cause));
  if (error === undefined) return <>{children}</>;
  return (
    <Page title="This page cannot be shown">
      <div class="failure" role="alert">
        <p>The API answered something that the console does not understand.</p>
        <p>Is the address right? Otherwise the browser’s own console has the cause.</p>
      </div>
      <div class="actions">
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      </div>
    </Page>
  );
}
