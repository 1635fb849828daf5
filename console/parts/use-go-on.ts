import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Goes to the page of what has just been done, unless whoever did it has left for another meanwhile. */
export function useGoOn(): (path: string) => void {
  const [, goTo] = useLocation();
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  return (path) => {
    if (isHere.current) goTo(path);
  };
}
