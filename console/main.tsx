import './styles/tokens.css';
import './styles/base.css';
import './styles/forms.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/videos.css';
import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { isWorthAnotherTry } from './api/client.ts';
import { App } from './app.tsx';
import { ignoreMissedDrops } from './parts/drop-zone.tsx';

const queries = new QueryClient({
  defaultOptions: {
    // Without a network all would wait for one and say nothing, and a press would do its thing at any time later. The
    // local run needs no network.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: (count, error) => count < 2 && isWorthAnotherTry(error),
      staleTime: 2_000,
    },
  },
});
const root = document.getElementById('console');
if (root === null) throw new Error('The page has no element for the console');

ignoreMissedDrops();
render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
  root,
);
