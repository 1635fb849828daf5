interface LoadingProps {
  readonly what: string;
  readonly tall?: boolean | undefined;
}

/** Takes the room that the content is about to take, so that nothing jumps. */
export function Loading({ what, tall = false }: LoadingProps) {
  return (
    <div class={tall ? 'loading tall' : 'loading'} role="status">
      Loading {what} …
    </div>
  );
}
