import { useEffect, useState } from 'preact/hooks';
import type { View } from '../view.ts';

const REFRESH_MILLISECONDS = 5_000;

export interface Asked {
  readonly minutes: string;
  readonly period: string;
}

export interface Shown {
  readonly view?: View;
  /** Why there is no newer view. */
  readonly failure?: string;
}

/** The current view, fetched again and again. */
export function useView({ minutes, period }: Asked): Shown {
  const [shown, setShown] = useState<Shown>({});
  useEffect(() => {
    const ended = new AbortController();
    const ask = async () => {
      try {
        const query = new URLSearchParams({ minutes, period });
        const answer = await fetch(`/view.json?${query}`, { signal: ended.signal });
        if (answer.ok) return setShown({ view: await answer.json() });
        const failure = await answer.text();
        setShown((before) => ({ ...before, failure }));
      } catch (error) {
        if (!ended.signal.aborted) setShown((before) => ({ ...before, failure: `No answer: ${error}` }));
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), REFRESH_MILLISECONDS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [minutes, period]);
  return shown;
}
